// Rotated once is rotated.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

auto model(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) {
  auto result = rope<T, D>(rope<T, D>(q));  // error: rope<T,D>: rotated [B,T,H,D] is rotated already; rotate once  [N0033]
  return result;
}
