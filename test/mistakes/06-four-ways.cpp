// Rule 6 on a held value, in a helper, in a nested module, with the factors swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct W : Product<"W", H, D> {};
struct N : Product<"N", D, H> {};
struct Y : Axis<"Y", 12> {};

auto on_a_value(Tensor<f32, B, T, Y> x) {
  auto y = silu(x);
  return split<W>(y);  // error: split<W>: [B,T,Y] has no axis W = H x D (8), but Y (12) is of another size; project onto it with a Param<f32, Y, W>  [N0006]
}

auto helper(auto x) {
  return merge<W>(x);  // error: merge<W>: W = H x D, but [B,T,D] has no H  [N0006]
}
auto in_a_helper(Tensor<f32, B, T, D> x) { return helper(relu(x)); }

struct Inner {
  auto operator()(Tensor<f32, B, T, Y> x) const {
    return split<Y>(x);  // error: split<Y>: Y is one axis, not a product; declare how it splits: struct Y : Product<"Y", H, D> {}  [N0006]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, Y> x) const { return inner(x); }
};

auto swapped(Tensor<f32, B, T, W> x, Tensor<f32, B, T, N> y) {
  return x + y;  // error: operator+: [B,T,W] has W = H x D and [B,T,N] has N = D x H, the same parts in another order; use one of the two  [N0006]
}
