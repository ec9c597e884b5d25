// SPDX-License-Identifier: Apache-2.0
// split, merge, part, concat, spread, first, last, next.
#pragma once
#include "nax/rules/common.h"

namespace nax::rule {

constexpr Text product_of(string_view op, Ax c) {
  if (c->kind == Kind::product) return {};
  if (c->kind == Kind::none) return say(10, op, ": ", c, what_is_an_axis);
  if (c->kind == Kind::concat)
    return say(7, op, "<", c, ">: ", composition(c), " lays its parts one after another; take one with part<",
               c->parts[0], ">");
  return say(6, op, "<", c, ">: ", c, " is one axis, not a product; declare how it splits: struct ", c, " : Product<\"",
             c, "\", H, D> {}");
}
// The axis that a kind is about stays whole.
constexpr Text whole_axis(string_view op, Ax named, Ax c, Ten x) {
  if (x.is == Is::weights && x.a == c)
    return say(23, op, "<", named, ">: ", x, " sum to 1 over ", c,
               ", which stays whole; do this before softmax, or to .values()");
  if (x.is == Is::logits && x.a == c)
    return say(42, op, "<", named, ">: ", x, " are logits over ", c, ", which stays whole; do this to their .values()");
  if (x.is == Is::rotated && x.b == c)
    return say(33, op, "<", named, ">: ", x, " is rotated over ", c, ", which stays whole; do this before rope");
  return {};
}
// The product `c` is not an axis of x: rule 7 where x is packed, else rule 6.
constexpr Text no_product(Ax c, Ten x) {
  if (factors_in(x, c)) return coded(6, absent("split", c, x) << "; its factors are there: it is split already");
  if (Ax b = inside(x, c)) return coded(packed(b) ? 7 : 1, axis_of("split", c, x));
  if (absent_code(c, x) != 1) return axis("split", c, x);
  Text t = words("split<", c, ">: ", x, " has no axis ", sized(c));
  for (Ax b : x)
    if (b->nparts)
      return coded(packed(b) || packed(c) ? 7 : 6, t << ", but " << sized(b) << ": write "
                                                     << (b->kind == Kind::concat ? "part<" : "split<")
                                                     << (b->kind == Kind::concat ? b->parts[0] : b) << ">");
  for (Ax b : x)
    if (b->kind == Kind::plain && b->size >= 0) {
      t << ", but " << sized(b);
      return coded(6, b->size == c->size
                          ? t << " is not declared as " << composition(c)
                          : t << " is of another size; project onto it with a Param<f32, " << b << ", " << c << ">");
    }
  return axis("split", c, x);
}
constexpr Text split(Ax c, Ten x) {
  if (!has(x, c) && (c->kind == Kind::product || inside(x, c))) return no_product(c, x);
  if (Text t = axis("split", c, x)) return t;
  if (Text t = product_of("split", c)) return t;
  if (Text t = whole_axis("split", c, c, x)) return t;
  for (int i = 0; i < c->nparts; ++i)
    if (has(x, c->parts[i])) return say(11, "split<", c, ">: ", x, " has ", c->parts[i], " already");
  return {};
}
constexpr Text merge(Ax c, Ten x) {
  if (Text t = product_of("merge", c)) return t;
  for (int i = 0; i < c->nparts; ++i)
    if (!has(x, c->parts[i])) {
      if (Ax b = twin(x, c->parts[i]))
        return say(2, "merge<", c, ">: ", composition(c), ", but the ", b, " of ", x,
                   " is another declaration of the name");
      return coded(6, words("merge<", c, ">: ", composition(c), ", but ", x, " has no ", c->parts[i])
                          << where_it_is(c->parts[i], x));
    }
  if (has(x, c)) return say(11, "merge<", c, ">: ", x, " has ", c, " already");
  for (int i = 0; i < c->nparts; ++i)
    if (Text t = whole_axis("merge", c, c->parts[i], x)) return t;
  return {};
}
// The concat of x that has `a` as a piece.
constexpr Ax concat_with(Ten x, Ax a) {
  for (Ax b : x)
    if (b->kind == Kind::concat && is_part(b, a)) return b;
  return nullptr;
}
constexpr Text part(Ax a, Ten x) {
  if (x.is == Is::scores || x.is == Is::weights || x.is == Is::mask)
    return say(7, "part<", a, ">: ", x, " has no parts to take; take them of what is projected");
  if (concat_with(x, a)) {
    if (has(x, a)) return say(11, "part<", a, ">: ", x, " has ", a, " already");
    return whole_axis("part", a, concat_with(x, a), x);
  }
  for (Ax b : x) {
    if (b->kind == Kind::concat) {
      for (int i = 0; i < b->nparts; ++i)
        if (twins(b->parts[i], a)) return two_declarations("part", a, b->parts[i], x);
      return say(7, "part<", a, ">: ", composition(b), " of ", x, " has no part ", a);
    }
    if (is_part(b, a))
      return say(7, "part<", a, ">: ", a, " is a factor of ", composition(b), ", not a part; write split<", b, ">");
  }
  for (Ax b : x)
    if (packed(b)) {
      Ax within = piece_with(b, a);
      for (int i = 0; !within; ++i)
        if (packed(b->parts[i])) within = b->parts[i];
      Text t = words("part<", a, ">: ", a, piece_with(b, a) ? " is a part of " : " is no part of ",
                     within->nparts ? composition(within) : words(within));
      return coded(7, t << ", which is inside " << composition(b) << ": write split<" << b << "> first");
    }
  return say(7, "part<", a, ">: ", x, " has no concatenated axis with the part ", a,
             "; declare how it is laid out: struct QKV : Concat<\"QKV\", ", a, ", ...> {}");
}
constexpr Text concat(Ax c, TensorInfo const* const* xs, int n) {
  if (c->kind != Kind::concat)
    return say(7, "concat<", c, ">: ", c, " is no concatenation; declare it: struct ", c, " : Concat<\"", c,
               "\", A, B> {}");
  if (n != c->nparts)
    return say(7, "concat<", c, ">: ", composition(c), " has ", c->nparts, " parts, but ", n, " tensors are given");
  for (int i = 0; i < n; ++i) {
    if (xs[i]->is != Is::number)
      if (Text t = values("concat", *xs[i])) return t;
    if (!has(*xs[i], c->parts[i]))
      return say(7, "concat<", c, ">: part ", i + 1, " of ", composition(c), " is ", c->parts[i], ", but ", *xs[i],
                 " has no such axis");
    if (has(*xs[i], c)) return say(11, "concat<", c, ">: ", *xs[i], " has ", c, " already");
    if (i == 0) continue;
    if (Text t = one_declaration("concat", *xs[0], *xs[i])) return t;
    for (Ax a : *xs[0])
      if (a != c->parts[0] && !has(*xs[i], a))
        return say(5, "concat<", c, ">: ", *xs[0], " has ", a, ", which ", *xs[i], " has not");
    if (xs[i]->n != xs[0]->n)
      return say(5, "concat<", c, ">: ", *xs[0], " and ", *xs[i], " differ in more than the part");
    if (Text t = same_number("concat", *xs[0], *xs[i])) return t;
    if (Text t = taint("concat", *xs[0], *xs[i])) return t;
  }
  return {};
}

constexpr Text spread(Ax a, Ten x) {
  if (Text t = values("spread", x)) return t;
  if (a->kind == Kind::none) return axis("spread", a, x);
  if (Text t = role("spread", a)) return t;
  if (has(x, a)) return say(11, "spread<", a, ">: ", x, " has ", a, " already");
  if (Ax b = twin(x, a)) return say(2, "spread<", a, ">: the ", b, " of ", x, " is another declaration of the name");
  if (x.whole && base(a) == x.whole)
    return say(25, "spread<", a, ">: ", x, " has seen every position of the causal ", x.whole,
               "; spreading it over them tells position t what comes after it");
  if (a->of && (has(x, a->of)))
    return say(4, "spread<", a, ">: ", x, " stands on ", a->of, "; what is read is read<", a->of, ">(x)");
  return {};
}
constexpr Text ends(string_view op, Ax t, Ten x) {
  if (x.is != Is::ids && x.is != Is::logits)
    if (Text e = values(op, x)) return e;
  if (Text e = axis(op, t, x)) return e;
  if (reads(t))
    return say(9, op, "<", t, ">: ", x, " is read already; write ", op, "<", t->of,
               ">(x) before it is read");
  if (!sequence(t)) return say(9, op, "<", t, ">: ", t, " of ", x, " is not a sequence");
  if (x.is == Is::logits && x.a == t) return say(9, op, "<", t, ">: ", x, " are logits over ", t);
  if (t->data == Data::packed)
    return say(29, op, "<", t, ">: a row of the packed ", t, " holds several documents, each with its own ", op,
               " position; declare ", t, " as Ragged, one document a row");
  return {};
}
constexpr Text first(Ax t, Ten x) { return ends("first", t, x); }
constexpr Text last(Ax t, Ten x) { return ends("last", t, x); }

constexpr Text next(Ax t, Ten x) {
  if (x.is != Is::ids) return say(26, "next<", t, ">: ", x, " are not ids; labels are next<T>(ids)");
  for (Ax a : x)
    if (a->kind == Kind::next && (a->of == t || a == t))
      return say(27, "next<", t, ">: ", x, " is shifted already; shift once");
  if (Text e = axis("next", t, x)) return e;
  if (!sequence(t)) return say(28, "next<", t, ">: ", t, " is not a sequence");
  return {};
}

} // namespace nax::rule
