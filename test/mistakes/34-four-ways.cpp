// Rule 34 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
inline constexpr Rope other{.base = 500000};
inline constexpr Rope pairs{.pairing = Rope::interleaved};

auto on_a_value(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) {
  auto rotated = rope<T, D>(q);
  return scores<D>(rotated, read<T>(k));  // error: scores<D>: the query rotated [B,T,H,D] but the key [B,Read<T>,H,D] is not; rotate both with the same rope  [N0034]
}

auto helper(auto q, auto k) {
  return scores<D>(q, read<T>(k));  // error: scores<D>: query rotated [T,D] and key rotated [Read<T>,D] were rotated differently (base); use one Rope for both  [N0034]
}
auto in_a_helper(Tensor<f32, T, D> x) { return helper(rope<T, D>(x), rope<T, D, other>(x)); }

struct Inner {
  auto operator()(Tensor<f32, B, T, D> q, Tensor<f32, B, T, D> k) const {
    return scores<D>(rope<T, D, pairs>(q), read<T>(rope<T, D>(k)));  // error: scores<D>: query rotated [B,T,D] and key rotated [B,Read<T>,D] were rotated differently (pairing); use one Rope for both  [N0034]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, D> q, Tensor<f32, B, T, D> k) const { return inner(q, k); }
};

auto swapped(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) {
  return scores<D>(q, read<T>(rope<T, D>(k)));  // error: scores<D>: the key rotated [B,Read<T>,H,D] but the query [B,T,H,D] is not; rotate both with the same rope  [N0034]
}
