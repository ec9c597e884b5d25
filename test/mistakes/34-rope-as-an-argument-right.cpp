// How a tensor was rotated is in its type, so that the two sides can be compared.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct D : Axis<"D", 8> {};
inline constexpr Rope rotary{.base = 500000};

struct Model {
  auto forward(Tensor<f32, B, T, D> x) const {
    auto q = rope<T, D, rotary>(x);
    return softmax<Read<T>>(causal_mask(scores<D>(q, read<T>(q)))).values();
  }
};
NAX_MODEL(model, Model, (forward, (x), (weights)));
