// Rule 32 on a held value, in a helper, in a nested module, over another axis.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct O : Axis<"O", 7> {};
struct D : Axis<"D", 8> {};
struct E : Axis<"E"> {};
inline constexpr Rope wide{.dims = 16};
inline constexpr Rope odd{.dims = 3};

auto on_a_value(Tensor<f32, B, T, O> q) {
  auto scaled = q * 0.5;
  return rope<T, O>(scaled);  // error: rope<T,O>: the rotary size 7 of O is odd; features rotate in pairs  [N0032]
}

auto helper(auto x) {
  return rope<T, D, wide>(x);  // error: rope<T,D>: the rotary size 16 is larger than D (8)  [N0032]
}
auto in_a_helper(Tensor<f32, T, D> k) { return helper(silu(k)); }

struct Inner {
  auto operator()(Tensor<f32, B, T, D> q) const {
    return rope<T, D, odd>(q);  // error: rope<T,D>: the rotary size 3 of D is odd; features rotate in pairs  [N0032]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, D> q) const { return inner(q); }
};

auto swapped(Tensor<f32, B, T, D, E> q) {
  return rope<T, E>(q);  // error: rope<T,E>: E has no fixed size; its rotary size must be known  [N0032]
}
