// More components rotate than there are.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
inline constexpr Rope wide{.dims = 16};
inline constexpr Rope narrow{.dims = 4};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) const {
    auto rotated = rope<T, D, narrow>(q);
    auto keys = rope<T, D, narrow>(k);
    return softmax<Read<T>>(causal_mask(scores<D>(rotated, read<T>(keys)))).values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (weights)));
