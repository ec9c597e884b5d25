// Rule 42 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 20> {};
struct X : Axis<"X", 4> {};
struct C : Axis<"C", 32> {};

auto on_a_value(Tensor<Logits<f32, V>, B, T, V> x, Tensor<Ids<V>, B, T> ids) {
  auto w = softmax<V>(x);
  return cross_entropy<V>(w, next<T>(ids));  // error: cross_entropy<V>: weights [B,T,V] are probabilities already; it takes logits: drop the softmax  [N0042]
}

auto helper(auto gates, auto experts) {
  return dot<X>(gates, experts);  // error: dot<X>: logits [B,T,X] are logits, not weights; softmax<X>(logits) makes weights  [N0042]
}
auto in_a_helper(Tensor<Logits<f32, X>, B, T, X> gates, Tensor<f32, B, T, X, C> experts) { return helper(gates, experts); }

struct Inner {
  auto operator()(Tensor<Logits<f32, V>, B, V> x) const {
    return logits<V>(softmax<V>(x));  // error: logits<V>: weights [B,V] are weights, not logits; give the numbers before softmax<V>  [N0042]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<Logits<f32, V>, B, V> x) const { return inner(x); }
};

auto swapped(Tensor<Logits<f32, X>, B, X> gates, Tensor<f32, B, X, C> experts) {
  return dot<X>(experts, gates);  // error: dot<X>: logits [B,X] are logits, not weights; softmax<X>(logits) makes weights  [N0042]
}
