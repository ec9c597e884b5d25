// Both sides are rotated or none.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) const {
    auto s = scores<D>(rope<T, D>(q), read<T>(k));  // error: scores<D>: the query rotated [B,T,H,D] but the key [B,Read<T>,H,D] is not; rotate both with the same rope  [N0034]
    return softmax<Read<T>>(causal_mask(s)).values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (weights)));
