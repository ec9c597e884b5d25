// SPDX-License-Identifier: Apache-2.0
// Arithmetic, functions of one element, norms, reductions, choices, the loss.
#pragma once
#include "nax/rules/common.h"

namespace nax::rule {

// Functions of one element keep the kind away: numbers in, numbers out.
constexpr Text map(string_view op, Ten x) {
  if (x.is == Is::scores && op == "tanh")
    return say(15, "tanh: ", x, " are scores, which softcap(scores, cap) keeps within a cap, before bias and mask");
  return reals(op, x);
}
constexpr Text cast(Ten x, string_view to) {
  if (x.is == Is::boolean || x.is == Is::number) return {};
  if (x.is != Is::weights && x.is != Is::rotated && x.is != Is::logits) return values("to", x);
  if (real_number(to)) return {};
  return say(44, "to<", to, ">: ", x, " are real numbers, which ", to, " would cut off");
}
// to<E>: E is what is written in angle brackets.
constexpr Text cast(Ten x, Ten e) {
  if (Text t = number_type("to", e)) return t;
  if (e.is == Is::number || e.is == Is::boolean) return cast(x, e.number);
  return say(44, "to: another type of number makes no other kind of ", x, "; write to<f32>, to<bf16>, to<i32>, ...");
}
constexpr Text as_values(Ten x) {
  if (x.is == Is::weights || x.is == Is::logits || x.is == Is::losses || x.is == Is::number) return {};
  if (x.is == Is::scores && !(x.state & masked)) return {};
  if (x.is == Is::scores)
    return say(14, "values: ", x, " are masked, and what is blocked has no number; take .values() before the mask");
  return values("values", x);
}
constexpr Text as_logits(Ax v, Ten x) {
  if (x.is == Is::weights)
    return say(42, "logits<", v, ">: ", x, " are weights, not logits; give the numbers before softmax<", x.a, ">");
  if (Text t = reals("logits", x)) return t;
  if (Text t = axis("logits", v, x)) return t;
  if (along_sequence(v)) return say(9, "logits<", v, ">: ", v, " of ", x, " is a sequence, not a vocabulary");
  return {};
}

// Scores times a number or a tensor.
constexpr Text rescaled(string_view op, Ten s) {
  if (s.state & masked)
    return say(15, op, ": ", s, " are masked already, and a scale comes before the mask: scores<D>(q, k, Scale{s})");
  return say(16, op, ": ", s, " are scaled by 1/sqrt(D) already; another scale is scores<D>(q, k, Scale{s})");
}
// Rules 4 to 7: x and y each have an axis that the other lacks.
constexpr Text outer(string_view sign, Ten x, Ten y) {
  Ax one = nullptr, two = nullptr;
  for (Ax a : x)
    for (Ax b : y) {
      if (has(y, a) || has(x, b)) continue;
      if (!one) one = a, two = b;
      if (base(a) == base(b))
        return say(4, "operator", sign, ": ", x, " has ", a, " and ", y, " has ", b,
                   " that the other has not: they are two roles of one sequence");
    }
  if (Text t = same_thing(words("operator", sign).view(), x, y)) return t;
  if (Ax last = sign == "*" && (x.param || y.param) ? matched(x, y) : nullptr) {
    Text t = words("operator*: ", x, " has ", one, " and ", y, " has ", two, " that the other has not");
    t << "; a projection is dot<" << last << ">(x, w)";
    string_view before = ", or dot<";
    for (Ax a : x)
      if (a != last && has(y, a) && !along_sequence(a) && a->size >= 0) t << before << a, before = ",";
    if (before == ",") t << "," << last << ">(x, w)";
    return coded(5, t << ", an outer product spread<" << two << ">(x) * y");
  }
  return say(5, "operator", sign, ": ", x, " has ", one, " and ", y, " has ", two,
             " that the other has not; spell the outer product: spread<", two, ">(x) ", sign, " y");
}
// Rule 36: parameters on a sequence, and tables of positions, are not added as they are.
constexpr Ax sequence_of(Ten x) {
  for (Ax a : x)
    if (sequence(a)) return a;
  return nullptr;
}
// A parameter on Positions that are always all there, such as latents, is no position of anything else.
constexpr Ax learned_along(Ten param) {
  for (Ax a : param)
    if (sequence(a) && (causal(a) || a->data != Data::all)) return a;
  return nullptr;
}
constexpr Text learned_positions(string_view op, Ten param, Ax t) {
  return say(36, op, ": the parameter ", param, " stands on the sequence ", t,
             "; learned positions are embed_positions<", t, ">(x, table) with a table on a plain axis of positions");
}
constexpr Text added_table(Ten x, Ten table) {
  Ax positions = nullptr;
  for (Ax a : table)
    if (positions && !has(x, a))
      return {};
    else if (!has(x, a))
      positions = a;
  Ax t = sequence_of(x);
  if (!t || !table.param || table.n < 2 || !positions || positions->kind != Kind::plain) return {};
  return say(36, "operator+: the parameter ", table, " has ", positions, ", which ", x,
             " has not; a table is looked up: embed<", positions, ">(ids, table); positions are embed_positions<", t,
             ">(x, table)");
}
// Scores and weights in an operator: what is meant has an operation of its own.
constexpr Text of_attention(string_view op, bool factor, Ten x, Ten other) {
  bool masks = other.is == Is::mask || other.is == Is::boolean;
  if (x.is == Is::scores) {
    if (masks)
      return say(18, op, ": a mask is not ", factor ? "a factor of " : "added to ", x, "; write mask(scores, m)");
    if (factor) return rescaled(op, x);
    return say(18, op, ": what is added to ", x, " is a bias, bias(scores, b); what hides is mask(scores, m)");
  }
  if (x.is == Is::mask && masks)
    return say(17, op, ": masks are joined by & and |, and turned by !: ", x, " is true or false, no number");
  if (x.is != Is::weights) return {};
  if (masks)
    return say(14, op, ": ", x, " are weights already; a mask goes before softmax: softmax<", x.a,
               ">(mask(scores, m))");
  if (other.is == Is::weights && !factor)
    return say(23, op, ": both ", x, " and ", other, " are weights; mix values by each of them: dot<", x.a, ">(w, v)");
  if (!factor)
    return say(21, op, ": ", other, " is added to ", x,
               ", which would no longer sum to 1; a bias belongs before softmax: bias(scores, b)");
  return {};
}
// + - * /: one side's axes contain the other's.
constexpr Text arith(string_view sign, Ten x, Ten y) {
  Text name = words("operator", sign);
  string_view op = name.view();
  bool factor = sign == "*" || sign == "/";
  for (TensorInfo const* z : {&x, &y})
    if (Text t = of_attention(op, factor, *z, z == &x ? y : x)) return t;
  for (TensorInfo const* z : {&x, &y}) {
    Ten other = z == &x ? y : x;
    if (Text t = sign == "/" ? reals(op, *z) : values(op, *z)) return t;
    if (z->is == Is::logits && factor && has(other, z->a) && !subset(other, *z))
      return say(42, op, ": ", *z, " are logits, not weights; mix with dot<", z->a, ">(softmax<", z->a,
                 ">(logits), values), or take plain numbers with .values()");
  }
  if (Text t = meet(op, x, y)) return t;
  for (TensorInfo const* z : {&x, &y})
    if (z->param)
      if (Ax t = learned_along(*z)) return learned_positions(op, *z, t);
  if (sign == "+")
    for (TensorInfo const* z : {&x, &y})
      if (Text t = added_table(z == &x ? y : x, *z)) return t;
  if (!subset(x, y) && !subset(y, x)) return outer(sign, x, y);
  return same_number(op, x, y);
}
// x * 0.5, x + 1.0
constexpr Text by_constant(string_view sign, Ten x) {
  Text name = words("operator", sign);
  bool factor = sign == "*" || sign == "/";
  if (x.is == Is::scores && factor) return rescaled(name.view(), x);
  if (x.is == Is::mask)
    return say(17, name.view(), ": ", x,
               " is true or false, no number; a mask is turned by !, applied by mask(scores, m)");
  if (x.is == Is::scores)
    return say(18, name.view(), ": to ", x, " a bias is added, bias(scores, b); one number for all changes no weight");
  if (x.is == Is::weights && !factor)
    return say(
        21, name.view(), ": ", x,
        " would no longer sum to 1; a bias belongs before softmax: bias(scores, b); plain numbers are .values()");
  return reals(name.view(), x);
}

// == < % and the like.
constexpr Text compared(string_view op, Ten x) {
  if (x.is == Is::ids)
    return say(39, op, ": ", x, " are indices into ", x.a,
               ", of which nothing is computed here; a mask of them, Tensor<",
               "boolean, ...>, is an argument of the entry");
  return say(18, op, ": ", x, " has no numbers yet while the model is traced; a mask is window<T>(n), ",
             "shorter_than<T>(lengths) or allowed_where_true(m)");
}
// x += y
constexpr Text in_place(string_view sign, Ten x) {
  string_view op = sign.substr(0, 1);
  return say(0, "operator", sign, ": ", x, " is not changed in place; name the result: auto z = x ", op, " y");
}

// 2 / x
constexpr Text number_over(Ten x) {
  if (Text t = reals("operator/", x)) return t;
  return say(0, "operator/: a number is not divided by ", x, "; divide by a number, x / 2, or a tensor by a tensor");
}

// rms_norm, layer_norm over feature axes; gain and shift stand on exactly these.
constexpr Text norm_over(string_view op, Ax const* as, int n, Ten x, Ten p) {
  if (Text t = reals(op, p)) return t;
  bool same = p.n == n;
  for (int i = 0; i < n; ++i) same = same && has(p, as[i]);
  if (!same) {
    if (Text t = one_declaration(op, p, x)) return t;
    for (Ax a : p)
      if (Ax b = reordered_in(x, a)) return other_order(op, b, x, a, p);
    Text t = words(op, "<");
    for (int i = 0; i < n; ++i) (i ? t << "," : t) << as[i];
    return coded(9, t << ">: the gain or shift " << p << " must stand on the normalised axes of " << x);
  }
  if (Text t = same_number(op, x, p)) return t;
  return taint(op, x, p);
}
constexpr Text norm(string_view op, Ax const* as, int n, Ten x) {
  if (n == 0) return say(10, op, ": say the axis to normalise over: ", op, "<C>(x, ...)");
  if (Text t = reals(op, x)) return t;
  if (Text t = named_twice(op, as, n)) return t;
  for (int i = 0; i < n; ++i) {
    Ax c = as[i];
    if (Text t = axis(op, c, x)) return t;
    if (causal(c) && !c->of)
      return say(
          25, op, "<", c, ">: ", c, " of ", x,
          " is causal, and a norm over all of it tells position t what comes after it; normalise over the features");
    if (along_sequence(c))
      return say(9, op, "<", c, ">: ", c, " of ", x, " is a sequence; normalise over the features");
    if (c->size < 0)
      return say(9, op, "<", c, ">: ", c, " of ", x, " has no fixed size; normalise over the features of one position");
  }
  return {};
}

// sum, mean, max
constexpr Text reduce(string_view op, Ax const* as, int n, Ten x) {
  if (n == 0) return say(10, op, ": say the axis: ", op, "<C>(x)");
  if (x.is != Is::losses && x.is != Is::logits)
    if (Text t = op == "sum" ? values(op, x) : reals(op, x)) return t;
  for (int i = 0; i < n; ++i) {
    Ax a = as[i];
    if (x.is == Is::losses && absent_code(a, x) == 1 && !has(x, a))
      return coded(9, absent(op, a, x) << ": write " << op << "<" << axes_list(x) << ">");
    if (Text t = axis(op, a, x)) return t;
    if (Text t = named_twice(op, as, n)) return t;
    for (Ax b : x) {
      bool summed = false;
      for (int j = 0; j < n; ++j) summed = summed || as[j] == b;
      if (causal(a) && base(a) == base(b) && !summed)
        return say(25, op, "<", a, ">: ", x, " would carry every position of the causal ", base(a), " back to ", b,
                   "; mix with softmax weights");
    }
  }
  if (x.is == Is::losses && op == "max") return say(9, "max: ", x, " are losses; take their mean or sum");
  return {};
}
// argmax, top_k
constexpr Text choose(string_view op, Ax v, Ten x) {
  if (v->size > 0x80000000)
    return say(41, op, "<", v, ">: ", v, " (", v->size, ") is more than its indices, which are i32, can count");
  if (x.is != Is::logits && x.is != Is::weights)
    if (Text t = reals(op, x)) return t;
  if (Text t = axis(op, v, x)) return t;
  if (along_sequence(v)) return say(9, op, "<", v, ">: ", v, " of ", x, " is a sequence; choose among classes");
  if (x.is == Is::weights && x.a != v) return say(9, op, "<", v, ">: ", x, " sum to 1 over ", x.a, ", not ", v);
  if (x.is == Is::logits && x.a != v) return say(9, op, "<", v, ">: ", x, " are over ", x.a, ", not ", v);
  return {};
}
constexpr Text top_k(Ax v, Ax k, Ten x) {
  if (Text t = choose("top_k", v, x)) return t;
  if (k->kind != Kind::plain || k->size < 1)
    return say(9, "top_k<", v, ",", k, ">: ", k, " is a plain axis of fixed size: struct ", k, " : Axis<\"", k,
               "\", 5> {}");
  if (has(x, k)) return say(11, "top_k<", v, ",", k, ">: ", x, " has ", k, " already");
  if (v->size >= 0 && k->size > v->size)
    return say(9, "top_k<", v, ",", k, ">: ", k, " (", k->size, ") is larger than ", v, " (", v->size, ")");
  return {};
}
constexpr Text dropout(Ten x) {
  if (x.is == Is::weights) return {};
  return reals("dropout", x);
}

// Labels of a causal sequence stand on Next<T>: position t predicts what comes next.
constexpr Text cross_entropy(Ax v, Ten x, Ten y) {
  if (x.is == Is::weights)
    return say(42, "cross_entropy<", v, ">: ", x, " are probabilities already; it takes logits: drop the softmax");
  if (x.is != Is::logits)
    return say(42, "cross_entropy<", v, ">: ", x, " are not logits; write unembed<", v, ">(x, table) or logits<", v,
               ">(x)");
  if (y.is != Is::ids)
    return say(28, "cross_entropy<", v, ">: the labels ", y, " are not ids; they are Tensor<Ids<", v, ">, ...>");
  if (x.a != v && y.a != v)
    return twins(x.a, v)
               ? two_declarations("cross_entropy", v, x.a, x)
               : say(9, "cross_entropy<", v, ">: the logits are over ", x.a, ": write cross_entropy<", x.a, ">");
  if (x.a != v && x.a->name == v->name) return two_declarations("cross_entropy", v, x.a, x);
  if (x.a != v) return say(28, "cross_entropy<", v, ">: the labels index ", y.a, ", the logits are over ", x.a);
  if (y.a != v && y.a->name == v->name) return two_declarations("cross_entropy", v, y.a, y);
  if (y.a != v) return say(28, "cross_entropy<", v, ">: the labels index ", y.a, ", the logits are over ", v);
  for (Ax a : x) {
    if (a == v) continue;
    if (has(y, a)) {
      if (a->kind == Kind::causal)
        return say(26, "cross_entropy<", v, ">: the labels ", y, " stand on ", a, ", but position t of ", x,
                   " predicts what comes next: write next<", a, ">(ids), or declare labels shifted before on Next<", a,
                   ">");
      if (a->kind == Kind::next)
        return say(26, "cross_entropy<", v, ">: ", x, " stand on ", a,
                   ", as the labels do, so they were computed from ", "what they predict; compute them from ids on ",
                   a->of);
      continue;
    }
    bool found = false;
    for (Ax b : y) found = found || (sequence(a) && b->kind == Kind::next && b->of == a);
    if (!found) {
      bool named = false;
      for (Ax b : y) named = named || (base(b) != base(a) && base(b)->name == base(a)->name);
      if (named)
        return say(2, "cross_entropy<", v, ">: ", a, " of ", x, " and of ", y,
                   " are two declarations of one name; use one, or give them two names");
      return say(28, "cross_entropy<", v, ">: the labels ", y, " have nothing for ", a, " of ", x);
    }
  }
  for (Ax b : y)
    if (!has(x, b) && !(b->kind == Kind::next && has(x, b->of)))
      return say(28, "cross_entropy<", v, ">: the labels stand on ", b, ", which ", x, " has not");
  return {};
}

} // namespace nax::rule
