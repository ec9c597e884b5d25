// Rule 9 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct C : Axis<"C", 8> {};
struct V : Axis<"V", 10> {};

auto on_a_value(Tensor<f32, B, P, C> x, Tensor<f32, C> g) {
  auto y = silu(x);
  return rms_norm<P>(y, g, Eps{1e-5});  // error: rms_norm<P>: P of [B,P,C] is a sequence; normalise over the features  [N0009]
}

auto helper(auto x, auto labels) {
  return cross_entropy<B>(x, labels);  // error: cross_entropy<B>: the logits are over V: write cross_entropy<V>  [N0009]
}
auto in_a_helper(Tensor<f32, B, T, V> x, Tensor<Ids<V>, B, T> ids) { return helper(logits<V>(x), next<T>(ids)); }

struct Inner {
  auto operator()(Tensor<f32, B, T, V> x, Tensor<Ids<V>, B, T> ids) const {
    return mean<V>(cross_entropy<V>(logits<V>(x), next<T>(ids)));  // error: mean<V>: losses [B,T] has no axis V: write mean<B,T>  [N0009]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, V> x, Tensor<Ids<V>, B, T> ids) const { return inner(x, ids); }
};

auto swapped(Tensor<f32, B, P, C> x, Tensor<f32, C> g) {
  return layer_norm<C>(g, x, Eps{1e-5});  // error: layer_norm<C>: the gain or shift [B,P,C] must stand on the normalised axes of [C]  [N0009]
}
