// SPDX-License-Identifier: Apache-2.0
// Rules 1, 2, 6, 10: an axis that is not there, and where it is instead.
#pragma once
#include "nax/rules/text.h"

namespace nax::rule {

constexpr string_view what_is_an_axis =
    " is not an axis; an axis is a struct deriving from Axis, Positions, Causal or Product";

// Whether a and b are made of the same parts, in another order.
constexpr bool reordered(Ax a, Ax b) {
  if (a == b || a->kind != b->kind || a->nparts != b->nparts || !a->nparts) return false;
  for (int i = 0; i < a->nparts; ++i)
    if (!is_part(b, a->parts[i])) return false;
  return true;
}
constexpr Ax reordered_in(Ten x, Ax a) {
  for (Ax b : x)
    if (reordered(a, b)) return b;
  return nullptr;
}
// Whether b is laid out in pieces: the fused matrix of queries, keys and values.
constexpr bool packed(Ax b) {
  if (b->kind == Kind::concat) return true;
  for (int i = 0; i < b->nparts; ++i)
    if (packed(b->parts[i])) return true;
  return false;
}
constexpr Text sized(Ax a) {
  Text t = a->nparts ? composition(a) : words(a);
  return a->size < 0 ? t : t << " (" << a->size << ")";
}

// What gives the absent axis `a` of x; empty if nothing of x has to do with it.
constexpr Text where_it_is(Ax a, Ten x) {
  if (Ax b = twin(x, a)) {
    Text t = words(": its ", b, " is another declaration of the same name");
    if (b->size != a->size) t << " (sizes " << a->size << " and " << b->size << ")";
    return t << "; use one, or give them two names";
  }
  if (Ax b = reordered_in(x, a)) {
    Text t = words("; its ", composition(b), " has the same parts in another order");
    return a->kind == Kind::product ? t << ": write merge<" << a << ">(split<" << b << ">(x)), or use one of the two"
                                    : t;
  }
  if (Ax b = inside(x, a)) {
    Text t = words("; it is inside ", composition(b));
    return b->kind == Kind::concat ? t << ": write part<" << piece_with(b, a) << "> first"
                                   : t << ": write split<" << b << "> first";
  }
  if (factors_in(x, a)) return words("; its factors are there: write merge<", a, "> first");
  if (Ax b = reader_of(x, a)) return words("; it stands on ", b);
  if (a->kind == Kind::read && has(x, a->of)) return words("; it stands on ", a->of, ": write read<", a->of, ">(...)");
  return {};
}
// What x has of the same sort as `a`.
constexpr Text what_there_is(Ax a, Ten x) {
  Text t;
  if (x.is != Is::number && x.is != Is::rotated) return t;
  bool sequences = along_sequence(a);
  for (Ax b : x)
    if (sequences ? along_sequence(b) : !along_sequence(b) && b->size >= 0)
      (t ? t << ", " : t << (sequences ? "; it stands on " : "; its features are ")) << b;
  return t;
}
// The last features that both have: what a product is over.
constexpr Ax matched(Ten x, Ten y) {
  Ax found = nullptr;
  for (Ax a : x)
    if (has(y, a) && !along_sequence(a) && a->size >= 0) found = a;
  return found;
}
constexpr Text absent(string_view op, Ax a, Ten x) { return words(op, "<", a, ">: ", x, " has no axis ", a); }
constexpr int absent_code(Ax a, Ten x) {
  if (a->kind == Kind::none) return 10;
  if (twin(x, a)) return 2;
  if (reordered_in(x, a)) return a->kind == Kind::product ? 6 : 7;
  return 1;
}
constexpr Text axis_of(string_view op, Ax a, Ten x) {
  if (a->kind == Kind::none) return words(op, ": ", a, what_is_an_axis);
  if (has(x, a)) return {};
  Text t = absent(op, a, x), where = where_it_is(a, x);
  return t << (where ? where : what_there_is(a, x));
}
constexpr Text axis(string_view op, Ax a, Ten x) { return coded(absent_code(a, x), axis_of(op, a, x)); }

// Rule 10: `what` stands in angle brackets where an axis is meant; nothing stands there if it is empty.
constexpr Text no_axis(string_view op, string_view what, string_view example) {
  if (what.empty()) return say(10, op, ": name the axis in angle brackets: ", example);
  return say(10, op, ": ", what, " is not an axis, which is a struct: ", example,
             ", where struct C : Axis<\"C\", 64> {}, struct T : Causal<\"T\"> {}, using S = Read<T>");
}
constexpr Text too_many_axes(string_view op, string_view example) {
  return say(10, op, ": more axes in angle brackets than it takes: ", example);
}
// Rule 11: an axis is named once.
constexpr Text named_twice(string_view op, Ax const* as, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      if (as[i] == as[j]) return say(11, op, "<", as[i], ",", as[i], ">: ", as[i], " is named twice");
  return {};
}

// Rule 2, of axes that never meet in one operation: in the IR an axis is its name.
constexpr Text two_axes(Ax a, string_view one, Ax b, string_view other) {
  Text t = words("two declarations of the axis name ", a, ": ", one, " (size ");
  (a->size < 0 ? t << "known when called" : t << a->size) << ") and " << other << " (size ";
  (b->size < 0 ? t << "known when called" : t << b->size) << "); use one, or give them two names";
  return coded(2, t);
}
// What a Product or a Concat is made of.
constexpr Text made_of(string_view op, Ax const* parts, int n) {
  for (int i = 0; i < n; ++i) {
    Ax a = parts[i];
    if (a->kind == Kind::none) return say(10, op, ": ", a, what_is_an_axis);
    if (along_sequence(a))
      return op == "Concat" ? say(38, "Concat: ", a, " is a sequence; a Concat is made of axes that are none. Old positions ",
                                  "and new ones are one sequence, which rope counts as a whole")
                            : say(6, op, ": ", a, " is a sequence; a ", op, " is made of axes that are none");
    for (int j = 0; j < i; ++j) {
      if (parts[j] == a) return say(11, op, ": it is made of ", a, " twice; declare a second axis");
      if (parts[j]->name == a->name)
        return say(2, op, ": it is made of two declarations of the name ", a, "; use one, or give them two names");
    }
  }
  return n ? Text() : say(10, op, ": say what it is made of: struct H : Product<\"H\", K, G> {}");
}
// Rules 10 and 4: Read<T> and Next<T> are of a sequence.
constexpr Text role(string_view op, Ax a) {
  if (!a->of) return {};
  if (a->of->kind == Kind::none) return say(10, op, ": ", a->of, " in ", a, what_is_an_axis);
  if (sequence(a->of)) return {};
  if (a->kind == Kind::next && a->of->kind == Kind::next)
    return say(27, op, ": ", a, " is shifted twice; the label of a position is the next one, so shift once: write ",
               a->of);
  if (a->kind == Kind::next)
    return say(4, op, ": ", a, " is of ", a->of,
               ", which is not a sequence; only Positions and Causal axes are shifted");
  return say(4, op, ": ", a, " is of ", a->of, ", which is not a sequence; only Positions and Causal axes are read");
}
// Rules 6 and 7: axes a of x and b of y that are made of the same parts.
constexpr Text other_order(string_view op, Ax a, Ten x, Ax b, Ten y) {
  if (!reordered(a, b)) return {};
  return say(a->kind == Kind::product ? 6 : 7, op, ": ", x, " has ", composition(a), " and ", y, " has ",
             composition(b), ", the same parts in another order; use one of the two");
}
// Rules 5 to 7: of the axes that x and y do not share, two are the same thing in other shapes.
constexpr Text same_thing(string_view op, Ten x, Ten y) {
  for (Ax a : x)
    for (Ax b : y) {
      if (has(y, a) || has(x, b)) continue;
      Text t = words(op, ": ", x, " has ", a, " and ", y, " has ", b);
      if (reordered(a, b)) return other_order(op, a, x, b, y);
      if (packed(a) && packed(b))
        return coded(7, t << ", which are packed differently: " << composition(a) << ", " << composition(b));
      if (piece_with(a, b))
        return coded(5, t << ", which is inside " << composition(a) << ": write split<" << a << ">(x)");
      if (piece_with(b, a)) return coded(5, t << ", and " << a << " is inside it: write split<" << b << ">(y)");
    }
  return {};
}

} // namespace nax::rule
