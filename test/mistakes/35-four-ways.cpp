// Rule 35 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Axis<"C", 16> {};
using S = Read<T>;

auto on_a_value(Tensor<Weights<f32, S>, B, T, H, S> w, Tensor<f32, B, T, H, D> v) {
  auto rotated = rope<T, D>(v);
  return dot<S>(w, read<T>(rotated));  // error: dot<Read<T>>: the values rotated [B,Read<T>,H,D] are rotated; rope is for queries and keys only  [N0035]
}

auto helper(auto w, auto v) {
  return dot<S>(w, v);  // error: dot<Read<T>>: the values rotated [Read<T>,D] are rotated; rope is for queries and keys only  [N0035]
}
auto in_a_helper(Tensor<Weights<f32, S>, T, S> w, Tensor<f32, T, D> v) { return helper(w, rope<S, D>(read<T>(v))); }

struct Inner {
  auto operator()(Tensor<f32, B, T, D> v, Tensor<f32, D, C> out) const {
    return dot<D>(rope<T, D>(v), out);  // error: dot: rotated [B,T,D] is rotated and is only for scores<D>(q, k); do this before rope  [N0035]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, D> v, Tensor<f32, D, C> out) const { return inner(v, out); }
};

auto swapped(Tensor<Weights<f32, S>, B, T, S> w, Tensor<f32, B, T, D> v) {
  return dot<S>(read<T>(rope<T, D>(v)), w);  // error: dot<Read<T>>: the values rotated [B,Read<T>,D] are rotated; rope is for queries and keys only  [N0035]
}
