// Both sides are rotated or none.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

auto model(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) {
  auto result = scores<D>(rope<T, D>(q), read<T>(k));  // error: scores<D>: the query rotated [B,T,H,D] but the key [B,Read<T>,H,D] is not; rotate both with the same rope  [N0034]
  return result;
}
