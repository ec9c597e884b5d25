// Rule 47 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 32> {};

auto on_a_value(Tensor<f32, B, T, C> x, Tensor<f32, C> gain) {
  auto y = silu(x);
  return rms_norm<C>(y, gain);  // error: rms_norm: model families disagree on the eps, so say it: rms_norm<C>(x, gain, Eps{1e-5})  [N0047]
}

auto helper(auto x, auto gain) {
  return layer_norm<C>(x, gain, 1e-5);  // error: layer_norm: model families disagree on the eps, so say it: layer_norm<C>(x, gain, Eps{1e-5})  [N0047]
}
auto in_a_helper(Tensor<f32, T, C> x, Tensor<f32, C> gain) { return helper(silu(x), gain); }

struct Inner {
  auto operator()(Tensor<f32, B, C> x) const {
    return gelu(x, true);  // error: gelu: two functions are called so: gelu(x) is by erf, gelu_tanh(x) by tanh  [N0047]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, C> x) const { return inner(x); }
};

auto swapped(Tensor<f32, B, T, C> x, Tensor<f32, C> gain) {
  return rms_norm<C>(x, Eps{1e-5}, gain);  // error: rms_norm: it takes x, its gain, then the eps: rms_norm<C>(x, gain, Eps{1e-5})  [N0047]
}
