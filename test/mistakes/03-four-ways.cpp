// Rule 3 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct C : Axis<"C", 8> {};
struct F : Axis<"F", 6> {};

auto on_a_value(Tensor<f32, B, T, C> x, Tensor<f32, C, F> w) {
  auto y = silu(x);
  return dot<F>(y, w);  // error: dot<F>: [B,T,C] has no axis F; only [C,F] has it: write dot<C>, or a sum over F alone is sum<F>(...)  [N0003]
}

auto helper(auto x, auto w) {
  return dot<C, D>(x, w);  // error: dot<D>: [B,T,C] has no axis D; only [D,C] has it: write dot<C>, or a sum over D alone is sum<D>(...)  [N0003]
}
auto in_a_helper(Tensor<f32, B, T, C> x, Tensor<f32, D, C> w) { return helper(relu(x), w); }

struct Inner {
  auto operator()(Tensor<f32, B, T, H, D> q, Tensor<f32, B, Read<T>, D> k) const {
    return scores<H>(q, k);  // error: scores<H>: [B,Read<T>,D] has no axis H, only [B,T,H,D] has it: write scores<D>(q, k)  [N0003]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, H, D> q, Tensor<f32, B, Read<T>, D> k) const { return inner(q, k); }
};

auto swapped(Tensor<f32, B, T, C> x, Tensor<f32, C, H> w) {
  return dot<H>(w, x);  // error: dot<H>: [B,T,C] has no axis H; only [C,H] has it: write dot<C>, or a sum over H alone is sum<H>(...)  [N0003]
}
