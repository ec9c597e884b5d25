// SPDX-License-Identifier: Apache-2.0
// dot, embed, unembed, embed_positions.
#pragma once
#include "nax/rules/common.h"

namespace nax::rule {

// Rule 16: features of one who asks meet features of what is read.
constexpr Text unscaled_match(Ax const* as, int n, Ten q, Ten k) {
  for (int i = 0; i < n; ++i)
    if (along_sequence(as[i])) return {};
  for (Ax t : q)
    for (Ax s : k)
      if (sequence(t) && !has(k, t) && reads(s) && !has(q, s))
        return say(16, "dot<", as[n - 1], ">: a match of ", q, " with what is read, ", k,
                   ", lacks its scale; write scores<", as[n - 1], ">(q, k), or scores<", as[n - 1],
                   ">(q, k, Scale{1}) if none is meant");
  return {};
}
// Rule 8: weights whose heads are split and values whose heads are not, or the reverse.
constexpr Text heads_of_values(Ten w, Ten v) {
  for (Ax a : v) {
    if (has(w, a)) continue;
    if (Ax whole = inside(w, a))
      return say(8, "dot<", w.a, ">: the values ", v, " have ", a, ", which is inside ", composition(whole), " of ", w,
                 ": write split<", whole, ">(q) before scores");
    if (factors_in(w, a))
      return say(8, "dot<", w.a, ">: the values ", v, " have ", a, ", which is split in ", w, ": write split<", a,
                 ">(v)");
  }
  return {};
}
// dot<as...>(x, y): numbers over axes that both have; or weights and what they mix.
constexpr Text dot(Ax const* as, int n, Ten x, Ten y) {
  string_view op = "dot";
  if (n == 0)
    return say(10, "dot(", x, ", ", y, "): say the axis to sum over: dot<", x.n ? x.ax[x.n - 1]->name : "C", ">(x, y)");
  bool weighted = x.is == Is::weights || y.is == Is::weights;
  for (TensorInfo const* z : {&x, &y}) {
    if (z->is == Is::weights) continue;
    if (z->is == Is::rotated && weighted)
      return say(35, "dot<", as[0], ">: the values ", *z, " are rotated; rope is for queries and keys only");
    if (z->is == Is::rotated && x.is == y.is)
      return say(16, "dot<", as[0], ">: ", *z, " is rotated; a match of query and key is scores<", z->b, ">(q, read<",
                 base(z->a), ">(k))");
    if (z->is == Is::logits)
      return say(42, "dot<", as[0], ">: ", *z, " are logits, not weights; softmax<", z->a, ">(logits) makes weights");
    if (Text t = values(op, *z)) return t;
  }
  if (x.is == Is::weights && y.is == Is::weights)
    return say(23, "dot: both ", x, " and ", y, " are weights; take one as numbers with .values()");
  for (TensorInfo const* w : {&x, &y}) {
    if (w->is != Is::weights) continue;
    Ten v = w == &x ? y : x;
    if (n != 1 || as[0] != w->a)
      return say(23, "dot<", as[0], ">: ", *w, " sum to 1 over ", w->a, ", so only ", w->a,
                 " may be mixed away: write dot<", w->a, ">(w, v)");
    if (has(v, w->a)) {
      if (Text t = heads_of_values(*w, v)) return t;
      continue;
    }
    if (reads(w->a) && has(v, w->a->of) && has(*w, w->a->of))
      return say(24, "dot<", w->a, ">: the values ", v, " stand on ", w->a->of,
                 ", the querying positions; mix what is read: dot<", w->a, ">(w, read<", w->a->of, ">(v))");
    for (Ax a : v)
      if (along_sequence(a) && reads(w->a) && a == w->a->of)
        return say(24, "dot<", w->a, ">: the values ", v, " stand on ", a, ", but ", *w, " read ", w->a,
                   ": write dot<", w->a, ">(w, read<", a, ">(v))");
      else if (along_sequence(a) && reads(w->a) && a->name != w->a->of->name)
        return say(24, "dot<", w->a, ">: the values ", v, " stand on ", a, ", but ", *w, " read ", w->a->of,
                   ": mix what is read there: dot<", w->a, ">(w, read<", w->a->of, ">(v))");
    for (Ax a : v)
      if (base(a) != base(w->a) && base(a)->name == base(w->a)->name)
        return say(2, op, "<", w->a, ">: ", a, " of ", v, " and ", w->a, " of ", *w,
                   " are two declarations of one name; use one, or give them two names");
    return axis(op, w->a, v);
  }
  for (int i = 0; i < n; ++i)
    for (TensorInfo const* z : {&x, &y}) {
      if (has(*z, as[i])) continue;
      Ten other = z == &x ? y : x;
      if (as[i]->kind == Kind::none || where_it_is(as[i], *z)) return axis(op, as[i], *z);
      Text t = absent(op, as[i], *z);
      Ax both = matched(x, y);
      if (has(other, as[i]))
        return coded(3, (both ? t << "; only " << other << " has it: write dot<" << both << ">, or"
                              : t << "; only " << other << " has it:")
                            << " a sum over " << as[i] << " alone is sum<" << as[i] << ">(...)");
      return both ? coded(1, t << "; both have " << both << ": write dot<" << both << ">") : axis(op, as[i], *z);
    }
  if (Text t = named_twice(op, as, n)) return t;
  auto summed = [&](Ax a) {
    for (int i = 0; i < n; ++i)
      if (as[i] == a) return true;
    return false;
  };
  // Weights say themselves what is mixed: at each position experts, or along one direction of a picture the other stays.
  for (Ax a : x) {
    if (weighted || !has(y, a) || summed(a)) continue;
    if (sequence(a))
      return say(4, "dot<", as[0], ">: both ", x, " and ", y, " stand on ", a,
                 ", so each position would meet only itself (the diagonal); read one: dot<", as[0], ">(x, read<", a,
                 ">(y)), or sum<", as[0], ">(x * y) if that is meant");
    if (reads(a))
      return say(4, "dot<", as[0], ">: both ", x, " and ", y, " are read along ", a, "; one side asks: leave it on ",
                 a->of);
  }
  if (!weighted) {
    if (Text t = unscaled_match(as, n, x, y)) return t;
    if (Text t = unscaled_match(as, n, y, x)) return t;
  }
  if (Text t = same_number(op, x, y)) return t;
  if (Text t = meet(op, x, y)) return t;
  if (Text t = same_thing(op, x, y)) return t;
  for (int i = 0; i < n && !weighted; ++i)
    for (TensorInfo const* z : {&x, &y})
      for (Ax a : *z)
        if (causal(as[i]) && base(a) == base(as[i]) && !summed(a))
          return say(25, "dot<", as[i], ">: ", *z, " would take in every position of the causal ", base(a), " at each ",
                     a, "; only softmax weights may mix them, not their .values()");
  return {};
}

constexpr Text embed(Ax v, Ten ids, Ten table) {
  if (ids.is != Is::ids)
    return say(39, "embed<", v, ">: ", ids, " of ", ids.number, " are not indices; the first operand is Tensor<Ids<", v,
               ">, ...>");
  if (ids.a != v)
    return ids.a->name == v->name ? two_declarations("embed", v, ids.a, ids)
                                  : say(40, "embed<", v, ">: ", ids, " index ", ids.a, ", not ", v, "; write embed<",
                                        ids.a, ">(ids, table of ", ids.a, ")");
  if (Text t = values("embed", table)) return t;
  if (Ax other = twin(table, v)) return two_declarations("embed", v, other, table);
  if (!has(table, v))
    return say(40, "embed<", v, ">: ", ids, " index ", v, ", and the table ", table, " has no axis ", v,
               "; write embed<", v, ">(ids, table of ", v, ")");
  for (Ax a : table)
    if (a != v && has(ids, a))
      return say(4, "embed<", v, ">: the table ", table, " has ", a, ", which ", ids, " has too");
  return meet("embed", ids, table);
}

constexpr Text unembed(Ax v, Ten x, Ten table) {
  if (Text t = reals("unembed", x)) return t;
  if (Text t = values("unembed", table)) return t;
  if (v->kind != Kind::none && !has(table, v) && !where_it_is(v, table))
    return say(40, "unembed<", v, ">: the table ", table, " has no axis ", v, "; write unembed<", v,
               ">(x, table of ", v, ")");
  if (Text t = axis("unembed", v, table)) return t;
  if (has(x, v)) return say(11, "unembed<", v, ">: ", x, " has ", v, " already; name the vocabulary of the table");
  for (Ax a : table)
    if (a != v && !has(x, a)) {
      if (Ax b = twin(x, a))
        return say(2, "unembed<", v, ">: ", a, " of ", table, " and ", b, " of ", x,
                   " are two declarations of one name; use one, or give them two names");
      return say(1, "unembed<", v, ">: ", x, " has no axis ", a, " of the table ", table);
    }
  Ax summed = nullptr;
  for (Ax a : table)
    if (a != v && (along_sequence(a) || (!summed && a->size < 0))) summed = a;
  if (summed)
    return say(causal(summed) ? 25 : 9, "unembed<", v, ">: it sums over ", summed, " of the table ", table,
               ", which holds no features; values along a sequence are mixed by softmax weights");
  if (Text t = same_number("unembed", x, table)) return t;
  return meet("unembed", x, table);
}

// The one axis of the table that x lacks: its positions.
constexpr Ax position_axis(Ten x, Ten table) {
  Ax found = nullptr;
  for (Ax a : table)
    if (!has(x, a)) {
      if (found) return nullptr;
      found = a;
    }
  return found;
}
constexpr Text embed_positions(Ax t, Ten x, Ten table) {
  if (Text e = values("embed_positions", x)) return e;
  if (Text e = values("embed_positions", table)) return e;
  if (Text e = axis("embed_positions", t, x)) return e;
  if (!sequence(t) && !reads(t))
    return say(31, "embed_positions<", t, ">: ", t, " of ", x, " is not a sequence; positions are added along one");
  if (Text e = one_declaration("embed_positions", table, x)) return e;
  Ax p = position_axis(x, table);
  if (!p)
    return say(36, "embed_positions<", t, ">: the table ", table, " must have the features of ", x,
               " and one axis of positions: Param<f32, MaxPositions, C>");
  if (p->kind != Kind::plain || p->size < 0)
    return say(36, "embed_positions<", t, ">: the positions ", p, " of the table ", table,
               " are a plain axis of fixed size: struct ", p, " : Axis<\"", p, "\", 1024> {}");
  if (Text e = same_number("embed_positions", x, table)) return e;
  return taint("embed_positions", x, table);
}

} // namespace nax::rule
