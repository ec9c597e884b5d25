// Rotation goes over the features that match.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) const {
    auto keys = read<T>(rope<T, D>(k));
    auto s = scores<D>(rope<T, H>(q), keys);  // error: scores<D>: rotated [B,T,H,D] was rotated over H, and matches over D; rotation goes over the features that match: rope<T,D>  [N0031]
    return softmax<Read<T>>(causal_mask(s)).values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (weights)));
