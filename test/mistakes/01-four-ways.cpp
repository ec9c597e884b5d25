// Rule 1 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct C : Product<"C", H, D> {};  // 8
struct F : Axis<"F", 6> {};

auto on_a_value(Tensor<f32, B, T, C> x) {
  auto y = silu(x);
  return mean<F>(y);  // error: mean<F>: [B,T,C] has no axis F; its features are C  [N0001]
}

auto helper(auto x) {
  return sum<D>(x);  // error: sum<D>: [B,T,C] has no axis D; it is inside C = H x D: write split<C> first  [N0001]
}
auto in_a_helper(Tensor<f32, B, T, C> x) { return helper(relu(x)); }

struct Inner {
  auto operator()(Tensor<f32, B, T, C> x, Tensor<f32, H, F> w) const {
    return dot<H>(x, w);  // error: dot<H>: [B,T,C] has no axis H; it is inside C = H x D: write split<C> first  [N0001]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, C> x, Tensor<f32, H, F> w) const { return inner(x, w); }
};

auto swapped(Tensor<f32, B, T, C> x, Tensor<f32, D, F> w) {
  return dot<D>(w, x);  // error: dot<D>: [B,T,C] has no axis D; it is inside C = H x D: write split<C> first  [N0001]
}
