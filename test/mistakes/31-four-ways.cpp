// Rule 31 on a held value, in a helper, in a nested module, with the axes swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

auto on_a_value(Tensor<f32, B, T, H, D> q) {
  auto scaled = q * 0.5;
  return rope<H, D>(scaled);  // error: rope<H,D>: H of [B,T,H,D] is not a sequence; rotation goes by position: rope<T,D>  [N0031]
}

auto helper(auto x) {
  return rope<D, D>(x);  // error: rope<D,D>: D of [T,D] is not a sequence; rotation goes by position: rope<T,D>  [N0031]
}
auto in_a_helper(Tensor<f32, T, D> k) { return helper(silu(k)); }

struct Inner {
  auto operator()(Tensor<f32, H, B, T, D> q) const {
    return rope<H, D>(q);  // error: rope<H,D>: H of [H,B,T,D] is not a sequence; rotation goes by position: rope<T,D>  [N0031]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, H, B, T, D> q) const { return inner(q); }
};

auto swapped(Tensor<f32, B, T, D> q) {
  return rope<D, T>(q);  // error: rope<D,T>: D of [B,T,D] is not a sequence; rotation goes by position: rope<T,D>  [N0031]
}
