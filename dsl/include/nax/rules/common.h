// SPDX-License-Identifier: Apache-2.0
// What several operations ask: is this a tensor of numbers, has it the axis, may the two meet.
#pragma once
#include "nax/rules/axes.h"

namespace nax::rule {

constexpr bool real_number(string_view e) { return e == "f32" || e == "bf16" || e == "f16" || e == "f64"; }
// Rule 10: the first argument of Tensor, or of a kind in it, is a type of number.
constexpr Text number_type(string_view op, Ten e) {
  if (real_number(e.number) || e.number == "i32" || e.number == "i64" || e.number == "boolean") return {};
  return say(10, op, ": ", e.number, " does not say what the numbers are; write f32, f16, bf16, f64, i32, i64, boolean",
             e.is == Is::none && op == "Tensor" ? ", or a kind such as Ids<V>" : "");
}

// What has no place in arithmetic, and why.
constexpr Text values(string_view op, Ten x) {
  switch (x.is) {
  case Is::ids:
    return say(39, op, ": ", x, " are indices into ", x.a, ", not numbers; look them up: embed<", x.a, ">(ids, table)");
  case Is::scores:
    return say(42, op, ": ", x, " are scores, not values; turn them into weights first: softmax<", x.b, ">");
  case Is::weights:
    return say(23, op, ": ", x, " are weights over ", x.a, "; mix values with dot<", x.a,
               ">, or take them as plain numbers with .values()");
  case Is::mask: return say(18, op, ": ", x, " is a mask, not values; apply it to scores: mask(scores, m)");
  case Is::boolean:
    return say(18, op, ": ", x,
               " is true or false, not numbers; for a mask say allowed_where_true(m) or blocked_where_true(m)");
  case Is::rotated:
    return say(35, op, ": ", x, " is rotated and is only for scores<", x.b, ">(q, k); do this before rope");
  case Is::losses:
    return say(9, op, ": ", x, " are losses; take their mean<", x.a, "> or sum, or plain numbers with .values()");
  // A Tensor of what is no type of number was refused where it was declared.
  case Is::none: return x.ax ? Text() : say(10, op, ": ", x, " is not a tensor with named axes");
  default: return {};
  }
}

// Rule 44: what divides, rounds or takes a root is for real numbers.
constexpr Text reals(string_view op, Ten x) {
  if (Text t = values(op, x)) return t;
  if (x.number == "i32" || x.number == "i64")
    return say(44, op, ": ", x, " are whole numbers (", x.number, "); convert them first: to<f32>(x)");
  return {};
}

// Other operands than it takes; `number` is the rule that they break, 0 where it is none's.
constexpr Text operands(int number, string_view op, string_view example) {
  return say(op == "dot" ? 3 : number, op, ": it takes other operands: ", example);
}
constexpr Text no_eps(string_view op) {
  return say(47, op, ": model families disagree on the eps, so say it: ", op, "<C>(x, gain, Eps{1e-5})");
}
// Rule 45. The compilers find it, naxc says it: `op` is empty where it can't tell which operation it was.
constexpr Text thrown_away(string_view op, string_view result) {
  Text t = words(op.empty() ? "a call" : op, ": its result ", result, result.empty() ? "" : " ",
                 "is thrown away; operations change nothing in place, so take it: auto y = ");
  if (!op.empty() && !op.starts_with("operator")) t << op << "(";
  return coded(45, t << (op.empty() || op.starts_with("operator") ? "..." : "...)"));
}
// What repeat() is given: whether each is a tensor, and whether the first can be gone through.
constexpr Text repeated(bool layers_tensor, bool layers_range, bool x_tensor) {
  if (layers_tensor) return say(0, "repeat: the layers come first: repeat(layers, x)");
  if (!layers_range)
    return say(0, "repeat: it takes a std::array or std::vector of modules; a single one is called: layer(x)");
  if (!x_tensor) return say(0, "repeat: what goes through the layers is a tensor: repeat(layers, x)");
  return {};
}
// What one of its layers takes, beside x, and is given.
constexpr Text layer_takes(int takes, int given, bool training) {
  if (takes == given) return {};
  return say(training && takes > given ? 43 : 0, "repeat: a layer takes ", takes, " more than x and is given ", given,
             ": what all layers take stands behind x: repeat(layers, x, ", training ? "training)" : "more)");
}
constexpr Text no_gain(string_view op) {
  return say(47, op, ": it takes x, its gain, ", op == "layer_norm" ? "a shift or none, " : "", "then the eps: ", op,
             "<C>(x, gain, Eps{1e-5})");
}
// What other libraries call it, or give it.
constexpr Text other_name(int number, string_view op, string_view instead) { return say(number, op, ": ", instead); }
constexpr Text no_training() {
  return say(43, "dropout: only a training entry, which takes a Training as an argument, drops out: ",
             "dropout(training, 0.1, x)");
}

// Rule 44: one type of number on both sides; the narrower is converted.
constexpr int width(string_view number) {
  int at = 0;
  for (string_view n : {"boolean", "i32", "i64", "bf16", "f32", "f64"}) {
    if (n == number || (n == "bf16" && number == "f16")) return at;
    ++at;
  }
  return at;
}
constexpr Text same_number(string_view op, Ten x, Ten y) {
  if (x.number == y.number || x.is == Is::none || y.is == Is::none) return {};
  return say(44, op, ": ", x, " is ", x.number, " and ", y, " is ", y.number, "; convert one: to<",
             width(x.number) < width(y.number) ? y.number : x.number, ">(...)");
}

// Rule 25: what has seen the whole of a causal sequence may not come back to it.
constexpr bool carries(Ten x, Ax t) { return has(x, t) || reader_of(x, t); }
constexpr Text joined_back(string_view op, Ten x, Ax whole, Ten y) {
  return say(25, op, ": ", x, " has seen every position of the causal ", whole, "; joining it to ", y,
             " tells position t what comes after it");
}
// What labels leave behind is known only while the model runs: see dsl/lib/follow.cpp.
constexpr Text told_label(string_view op, Ten x, Ax t) {
  return say(25, op, ": position t of ", x, " depends on the label of t, which is position t + 1 of ", t,
             "; losses may be given as they are, without .values()");
}
constexpr Text taint(string_view op, Ten x, Ten y) {
  for (TensorInfo const* saw : {&x, &y})
    for (TensorInfo const* z : {&x, &y})
      if (saw->whole && carries(*z, saw->whole)) return joined_back(op, *saw, saw->whole, *z);
  return {};
}
// Rule 2: one name, one declaration; then the taint.
constexpr Text one_declaration(string_view op, Ten x, Ten y) {
  for (Ax a : x)
    if (!has(y, a))
      if (Ax b = twin(y, a)) {
        Text t = words(op, ": ", a, " of ", x, " and ", b, " of ", y, " are two declarations of one name");
        if (a->size != b->size) t << " (sizes " << a->size << " and " << b->size << ")";
        return coded(2, t << "; use one, or give them two names");
      }
  return {};
}
constexpr Text meet(string_view op, Ten x, Ten y) {
  if (Text t = one_declaration(op, x, y)) return t;
  return taint(op, x, y);
}

// Rule 2, where an axis is named in angle brackets.
constexpr Text two_declarations(string_view op, Ax named, Ax other, Ten x) {
  return say(2, op, "<", named, ">: ", other, " of ", x, " is another declaration of the name",
             named->size == other->size ? "" : ", of another size", "; use one, or give them two names");
}

// What the kind of a tensor is about.
constexpr Text kind(Ten x) {
  if (x.is == Is::ids && x.number != "i32" && x.number != "i64")
    return say(41, "Tensor: ", x, " of ", x.number, " are no indices; ids are i32, the default, or i64: Ids<", x.a,
               ", i64>");
  if (Text t = number_type("Tensor", x)) return t;
  for (Ax a : {x.a, x.b})
    if (a && a->kind == Kind::none) return say(10, "Tensor: ", x, " are about ", a, ", which", what_is_an_axis);
  if (x.is != Is::ids) return {};
  if (x.number == "i32" && x.a->size > 0x80000000)
    return say(41, "Tensor: ", x, " of i32 are too narrow for ", x.a, " (", x.a->size, "); write Ids<", x.a, ", i64>");
  return {};
}
// A tensor's own axes: each is one, each once.
constexpr Text distinct(Ten x) {
  if (Text t = kind(x)) return t;
  for (int i = 0; i < x.n; ++i) {
    if (x.ax[i]->kind == Kind::none) return say(10, "Tensor: ", x.ax[i], " in ", x, what_is_an_axis);
    if (Text t = role("Tensor", x.ax[i])) return t;
    for (int j = 0; j < i; ++j) {
      if (x.ax[i] == x.ax[j]) {
        if (sequence(x.ax[i]))
          return say(11, "Tensor: ", x, " has the axis ", x.ax[i], " twice; what is read stands on ", ReadOf{x.ax[i]},
                     ", or declare a second axis");
        return say(11, "Tensor: ", x, " has the axis ", x.ax[i], " twice; declare a second axis");
      }
      if (twins(x.ax[i], x.ax[j]))
        return say(2, "Tensor: ", x, " has two declarations of the name ", x.ax[i],
                   "; use one, or give them two names");
    }
  }
  if (x.whole && carries(x, x.whole))
    return say(25, "Tensor: ", x, " may not stand on ", x.whole, ", all of which it has seen");
  return {};
}
// The rule that one kind in place of another breaks; 0 where it is none's.
constexpr int confused(Is got, Is want) {
  auto either = [&](Is is) { return got == is || want == is; };
  if (either(Is::ids)) return 39;
  if (either(Is::mask)) return either(Is::boolean) ? 17 : 18;
  if (either(Is::boolean)) return 18;
  if (either(Is::rotated)) return got == Is::rotated ? 35 : 34;
  if (either(Is::weights) || either(Is::logits)) return 42;
  return 0;
}
// Handing a tensor to a function, a variable or a module.
constexpr Text passed(Ten got, Ten want) {
  if (got.is == Is::ids && want.is == Is::ids && got.a != want.a)
    return say(twins(got.a, want.a) ? 2 : 40, "passing ", got, " that index ", got.a, " where ", want, " that index ",
               want.a, " are meant", twins(got.a, want.a) ? ": two declarations of one name" : "");
  if (got.is != want.is || got.number != want.number)
    return say(got.is == want.is ? 44 : confused(got.is, want.is), "passing ", got, " of ", got.number, " where ", want,
               " of ", want.number, " is meant");
  if (got.is == Is::rotated)
    if (string_view differs = rotated_apart(got, want); !differs.empty())
      return say(34, "passing ", got, " where ", want, " is meant: they are rotated differently (", differs, ")");
  if (got.is == Is::scores && got.state != want.state)
    return say(0, "passing ", got, " where ", want, " is meant: they are capped, biased or masked differently");
  Text t = words("passing ", got, " where ", want, " is meant: ");
  Ax missing = nullptr, extra = nullptr;
  for (Ax a : want)
    if (!missing && !has(got, a)) missing = a;
  for (Ax a : got)
    if (!extra && !has(want, a)) extra = a;
  if (missing && extra && twins(missing, extra))
    return coded(2, t << "their " << missing << " are two declarations of one name");
  if (missing && extra && packed(missing) && packed(extra) && !reordered(missing, extra))
    return coded(7, t << composition(extra) << " and " << composition(missing) << " are packed differently");
  if (missing && extra && reordered(missing, extra))
    return coded(missing->kind == Kind::product ? 6 : 7,
                 t << composition(extra) << " and " << composition(missing) << " are two orders of the same parts");
  if (missing) {
    t << missing << " is missing";
    if (extra) t << " and " << extra << " is too many";
    return coded(1, t);
  }
  if (extra) return coded(1, t << extra << " is too many");
  if (got.a != want.a || got.b != want.b) return t << "they are about other axes";
  if (got.whole && got.whole != want.whole && got.n)
    return coded(25, t << "it has seen every position of the causal " << got.whole
                       << ", and the type must say so: auto, or Tensor<Whole<" << got.number << "," << got.whole
                       << ">, ...>");
  return {};
}

} // namespace nax::rule
