// Rule 5 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct C : Axis<"C", 8> {};
struct F : Axis<"F", 6> {};

auto on_a_value(Tensor<f32, B, T, C> x, Tensor<f32, B, F> y) {
  auto z = silu(x);
  return z + y;  // error: operator+: [B,T,C] has T and [B,F] has F that the other has not; spell the outer product: spread<F>(x) + y  [N0005]
}

auto helper(auto q, auto k) {
  return scores<D>(q, k);  // error: scores<D>: the key [B,Read<T>,H,D] has H but the query [B,T,D] has not; spread<H>(q) asks with each, or queries come in groups: struct Q : Product<"Q", H, G> {}  [N0005]
}
auto in_a_helper(Tensor<f32, B, T, D> q, Tensor<f32, B, T, H, D> k) { return helper(q, read<T>(k)); }

struct Inner {
  auto operator()(Tensor<f32, B, T, F> x, Tensor<f32, B, C> y) const {
    return x / y;  // error: operator/: [B,T,F] has T and [B,C] has C that the other has not; spell the outer product: spread<C>(x) / y  [N0005]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, F> x, Tensor<f32, B, C> y) const { return inner(x, y); }
};

auto swapped(Tensor<f32, B, T, C> x, Tensor<f32, B, F> y) {
  return y + x;  // error: operator+: [B,F] has F and [B,T,C] has T that the other has not; spell the outer product: spread<T>(x) + y  [N0005]
}
