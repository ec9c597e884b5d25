// SPDX-License-Identifier: Apache-2.0
// Which positions may be read: what makes masks, joins and turns them.
#pragma once
#include "nax/rules/common.h"

namespace nax::rule {

// A mask is named by the sequence that is read.
constexpr Text of_sequence(string_view op, Ax t) {
  if (sequence(t)) return {};
  if (reads(t)) return say(20, op, "<", t, ">: name the sequence itself: ", op, "<", t->of, ">");
  return say(20, op, "<", t, ">: ", t, " is not a sequence");
}
constexpr Text sized_mask(string_view op, Ax t, std::int64_t n) {
  if (Text e = of_sequence(op, t)) return e;
  if (n < 1)
    return say(17, op, "<", t, ">(", n, ") would block everything; ",
               op == "prefix" ? "it counts the positions that all may read" : "the size counts the position itself");
  return {};
}
constexpr Text window(Ax t) { return sized_mask("window", t, 1); }
constexpr Text past(Ax t) { return of_sequence("past", t); }
constexpr Text prefix(Ax t, std::int64_t n = 1) {
  if (Text e = sized_mask("prefix", t, n)) return e;
  if (t->data == Data::packed)
    return say(29, "prefix<", t, ">: it counts from the begin of a row, in which the packed ", t,
               " has several documents; only the first would have a prefix");
  if (t->data == Data::left_padded)
    return say(38, "prefix<", t, ">: it counts from the begin of a row, where the left-padded ", t,
               " has padding; its positions begin at ", t, "_starts");
  return {};
}
constexpr Text shorter_than(Ax t, Ten n) {
  if (n.is != Is::number || (n.number != "i32" && n.number != "i64"))
    return say(18, "shorter_than<", t, ">: ", n, " of ", n.number, " are not lengths; they are Tensor<i32, B>");
  if (Text e = of_sequence("shorter_than", t)) return e;
  if (carries(n, t)) return say(19, "shorter_than<", t, ">: the lengths ", n, " have ", t, "; one length per row");
  if (n.whole == t)
    return say(25, "shorter_than<", t, ">: ", n, " has seen every position of the causal ", t,
               ", so that each would know how many follow; the lengths are an argument of the entry");
  if (t->data == Data::left_padded)
    return say(38, "shorter_than<", t, ">: rows of the left-padded ", t, " end together; this hides their end. ",
               "Padding at the begin is hidden by softmax, which knows ", t, "_starts");
  return {};
}
constexpr Text same_document(Ax t, Ten d) {
  if (d.is != Is::number || (d.number != "i32" && d.number != "i64"))
    return say(29, "same_document<", t, ">: ", d, " of ", d.number,
               " are no document numbers; they are Tensor<i32, B, ", t, ">");
  if (!sequence(t)) return say(29, "same_document<", t, ">: ", t, " is not a sequence");
  if (Text e = axis("same_document", t, d)) return e;
  if (t->data == Data::packed || t->data == Data::continued) return {};
  return say(29, "same_document<", t, ">: rope and the loss would not know the documents of ", t, "; declare struct ",
             t, " : ", t->kind == Kind::causal ? "Causal" : "Positions", "<\"", t,
             "\", Packed> {}, whose documents all operations take");
}
// Whose documents are whose is known only while the model runs: see dsl/lib/follow.cpp.
constexpr Text mixed_documents(string_view op, Ax t, Ten result) {
  return say(29, op, "<", t, ">: a row of the packed ", base(t), " holds several documents, and ", result,
             " mixes them; declare ", base(t), " as Ragged, one document a row, or take in the rows too");
}
constexpr Text read_by_documents(Ax asks, Ax read) {
  return say(29, "softmax<", read, ">: each document of the packed ", asks, " reads all that its row has of ",
             base(read), "; say which is whose: mask(scores, allowed_where_true(m)), m on ", asks, " and ", read);
}
// What boolean buffers hide from scores of what rope rotated or a table placed: see dsl/lib/follow.cpp.
constexpr Text padding(Ax t) {
  return say(38, "mask: it hides positions of ", t,
             " that rope and tables count; if rows are padded declare it: struct ", t, " : ",
             t->kind == Kind::causal ? "Causal" : "Positions", "<\"", t, "\", LeftPadded> {}, or Ragged if at the end");
}
constexpr Text polarity(string_view op, Ten m) {
  if (m.is != Is::boolean)
    return say(18, op, ": ", m, " of ", m.number, " is not true or false; a mask comes from Tensor<boolean, ...>");
  int count = 0;
  for (Ax a : m) count += reads(a);
  if (count == 1) return {};
  if (count > 1) return say(20, op, ": ", m, " has more than one axis being read");
  for (Ax a : m)
    if (sequence(a)) return say(19, op, ": ", m, " stands on ", a, "; a mask is about what is read: ", ReadOf{a});
  return say(20, op, ": ", m, " has no axis being read");
}
// & and | of two masks.
constexpr Text join_masks(string_view op, Ten x, Ten y) {
  for (TensorInfo const* z : {&x, &y})
    if (z->is != Is::mask) {
      if (z->is == Is::boolean)
        return say(17, op, ": ", *z,
                   " does not say what true means; write allowed_where_true(m) or blocked_where_true(m)");
      return say(18, op, ": ", *z, " is not a mask");
    }
  if (x.b != y.b) return say(20, op, ": ", x, " is about ", x.b, " and ", y, " about ", y.b);
  if (x.a && y.a && x.a != y.a) return say(20, op, ": ", x, " is for queries on ", x.a, " and ", y, " on ", y.a);
  return meet(op, x, y);
}
// Other signs and a bool do not join masks.
constexpr Text mask_sign(string_view op, string_view instead) {
  return say(17, op, ": masks are joined by & and |, and turned by !: write ", instead);
}
// mask(scores, true), bias(scores, 1.0)
constexpr Text one_for_all(string_view op, Ten s, bool truth) {
  if (op == "bias" && !truth)
    return say(18, "bias: one number for all of ", s, " changes no weight; a bias stands on axes of the scores");
  return say(op == "mask" && truth ? 17 : 18, op, ": ", truth ? "a bool" : "a number", " for all of ", s,
             " is no mask; build one: window<T>(n), shorter_than<T>(lengths), allowed_where_true(m)");
}
// mask(scores, Mask<Every, S>(m)): a kind where a tensor of it is meant. No q is Every.
constexpr Text kind_alone(Ax q, Ax k) {
  Text kind = q ? words("Mask<", q, ", ", k, ">") : words("Mask<Every, ", k, ">");
  return say(18, "mask: ", kind, " alone is no tensor; it is declared Tensor<", kind,
             ", ...>, and made of booleans by allowed_where_true(m)");
}
// Other libraries put a large negative number where a boolean is true, or false.
constexpr Text hidden(string_view op, string_view when_true) {
  return say(17, op, ": no number hides a score; write mask(scores, ", when_true, "_where_true(m))");
}
// && and || do not join masks.
constexpr Text bool_operator(string_view op, string_view instead) {
  return say(17, op, ": masks are joined by &, | and !: write x ", instead, " y");
}
constexpr Text invert_mask(Ten x) {
  if (x.is == Is::mask) return {};
  return say(17, "operator!: ", x, " is not a mask; write allowed_where_true(m) or blocked_where_true(m)");
}

} // namespace nax::rule
