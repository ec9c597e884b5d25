// Rule 4 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct C : Axis<"C", 8> {};

auto on_a_value(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) {
  auto y = k * 2.0;
  return scores<D>(q, y);  // error: scores<D>: the key [B,T,H,D] stands on T, as the query does (only each position with itself would meet); keys are read: write scores<D>(q, read<T>(k))  [N0004]
}

auto helper(auto x, auto y) {
  return dot<C>(x, y);  // error: dot<C>: both [B,T,C] and [B,T,C] stand on T, so each position would meet only itself (the diagonal); read one: dot<C>(x, read<T>(y)), or sum<C>(x * y) if that is meant  [N0004]
}
auto in_a_helper(Tensor<f32, B, T, C> x) { return helper(relu(x), x); }

struct Inner {
  auto operator()(Tensor<f32, B, P, C> x) const {
    return x + read<P>(x);  // error: operator+: [B,P,C] has P and [B,Read<P>,C] has Read<P> that the other has not: they are two roles of one sequence  [N0004]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, P, C> x) const { return inner(x); }
};

auto swapped(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) {
  return scores<D>(read<T>(k), q);  // error: scores<D>: the query [B,Read<T>,H,D] is read and the key [B,T,H,D] is not; the operands are swapped: scores<D>(q, read<T>(k))  [N0004]
}
