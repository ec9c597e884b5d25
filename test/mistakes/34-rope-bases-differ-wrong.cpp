// And by the same angles.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
inline constexpr Rope rotary{.base = 500000};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) const {
    auto s = scores<D>(rope<T, D, rotary>(q), read<T>(rope<T, D>(k)));  // error: scores<D>: query rotated [B,T,H,D] and key rotated [B,Read<T>,H,D] were rotated differently (base); use one Rope for both  [N0034]
    return softmax<Read<T>>(causal_mask(s)).values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (weights)));
