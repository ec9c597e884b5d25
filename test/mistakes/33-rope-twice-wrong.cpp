// Rotated once is rotated.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) const {
    auto rotated = rope<T, D>(rope<T, D>(q));  // error: rope<T,D>: rotated [B,T,H,D] is rotated already; rotate once  [N0033]
    auto keys = rope<T, D>(k);
    return softmax<Read<T>>(causal_mask(scores<D>(rotated, read<T>(keys)))).values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (weights)));
