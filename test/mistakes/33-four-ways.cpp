// Rule 33 on a held value, in a helper, in a nested module, by a split after it.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct E : Product<"E", H, D> {};
inline constexpr Rope rotary{.base = 500000};

auto on_a_value(Tensor<f32, B, T, H, D> q) {
  auto rotated = rope<T, D>(q);
  return rope<T, D>(rotated);  // error: rope<T,D>: rotated [B,T,H,D] is rotated already; rotate once  [N0033]
}

auto helper(auto x) {
  return rope<Read<T>, D, rotary>(read<T>(x));  // error: rope<Read<T>,D>: rotated [Read<T>,D] is rotated already; rotate once  [N0033]
}
auto in_a_helper(Tensor<f32, T, D> k) { return helper(rope<T, D>(k)); }

struct Inner {
  auto operator()(Tensor<f32, B, T, D, H> q) const {
    return merge<E>(rope<T, D>(q));  // error: merge<E>: rotated [B,T,D,H] is rotated over D, which stays whole; do this before rope  [N0033]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, D, H> q) const { return inner(q); }
};

auto swapped(Tensor<f32, B, T, E> q) {
  return split<E>(rope<T, E>(q));  // error: split<E>: rotated [B,T,E] is rotated over E, which stays whole; do this before rope  [N0033]
}
