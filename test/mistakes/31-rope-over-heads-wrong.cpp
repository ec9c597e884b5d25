// Rotation goes by position.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) const {
    auto rotated = rope<H, D>(q);  // error: rope<H,D>: H of [B,T,H,D] is not a sequence; rotation goes by position: rope<T,D>  [N0031]
    auto keys = rope<T, D>(k);
    return softmax<Read<T>>(causal_mask(scores<D>(rotated, read<T>(keys)))).values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (weights)));
