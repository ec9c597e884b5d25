// Rule 45 on a held value, in a helper, in a nested module, of an operator.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};

auto on_a_value(Tensor<f32, B, T, C> x) {
  auto y = silu(x);
  relu(y);  // error: relu: its result [B,T,C] is thrown away; operations change nothing in place, so take it: auto y = relu(...)  [N0045]
  return y;
}

auto helper(auto x) {
  softcap(x, 30.0);  // error: softcap: its result scores [T,Read<T>] is thrown away; operations change nothing in place, so take it: auto y = softcap(...)  [N0045]
  return softmax<Read<T>>(causal_mask(x));
}
auto in_a_helper(Tensor<f32, T, C> x) { return helper(scores<C>(x, read<T>(x))); }

struct Inner {
  auto operator()(Tensor<f32, B, C> x, Tensor<f32, C> gain) const {
    rms_norm<C>(x, gain, Eps{1e-6});  // error: rms_norm: its result [B,C] is thrown away; operations change nothing in place, so take it: auto y = rms_norm(...)  [N0045]
    return x;
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, C> x, Tensor<f32, C> gain) const { return inner(x, gain); }
};

auto swapped(Tensor<f32, B, T, C> x, Tensor<f32, C> bias) {
  bias + x;  // error: operator+: its result [B,T,C] is thrown away; operations change nothing in place, so take it: auto y = ...  [N0045]
  return x;
}
