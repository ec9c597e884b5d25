// Rule 44 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 32> {};
struct F : Axis<"F", 6> {};

auto on_a_value(Tensor<f32, B, T, C> x, Tensor<bf16, B, T, C> y) {
  auto held = silu(y);
  return x + held;  // error: operator+: [B,T,C] is f32 and [B,T,C] is bf16; convert one: to<f32>(...)  [N0044]
}

auto helper(auto x, auto w) {
  return dot<C>(x, w);  // error: dot: [T,C] is f32 and [C,F] is f16; convert one: to<f32>(...)  [N0044]
}
auto in_a_helper(Tensor<f32, T, C> x, Tensor<f16, C, F> w) { return helper(silu(x), w); }

struct Inner {
  auto operator()(Tensor<bf16, B, T, C> x, Tensor<f32, C> gain) const {
    return rms_norm<C>(x, gain, Eps{1e-6});  // error: rms_norm: [B,T,C] is bf16 and [C] is f32; convert one: to<f32>(...)  [N0044]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<bf16, B, T, C> x, Tensor<f32, C> gain) const { return inner(x, gain); }
};

auto swapped(Tensor<f32, B, T, C> x, Tensor<bf16, B, T, C> y) {
  return y + x;  // error: operator+: [B,T,C] is bf16 and [B,T,C] is f32; convert one: to<f32>(...)  [N0044]
}
