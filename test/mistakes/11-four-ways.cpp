// Rule 11 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct W : Product<"W", H, D> {};
struct C : Axis<"C", 8> {};
struct F : Axis<"F", 6> {};

auto on_a_value(Tensor<f32, B, T, C> x) {
  auto y = silu(x);
  return spread<C>(y);  // error: spread<C>: [B,T,C] has C already  [N0011]
}

auto helper(auto x) {
  return split<W>(x);  // error: split<W>: [B,T,W,H] has H already  [N0011]
}
auto in_a_helper(Tensor<f32, B, T, W, H> x) { return helper(relu(x)); }

struct Inner {
  auto operator()(Tensor<f32, B, T, C> x, Tensor<f32, B, T> y) const {
    Tensor<f32, B, T, B> z = spread<C>(y);  // error: Tensor: [B,T,B] has the axis B twice; declare a second axis  [N0011]
    return x + z;
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, C> x, Tensor<f32, B, T> y) const { return inner(x, y); }
};

auto swapped(Tensor<f32, B, T, C> x, Tensor<f32, C, F> w) {
  return dot<C, C>(w, x);  // error: dot<C,C>: C is named twice  [N0011]
}
