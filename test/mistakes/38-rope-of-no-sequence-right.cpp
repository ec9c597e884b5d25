// An axis that is not declared a sequence has no positions.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct L : Axis<"L"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, L, H, D> x, Tensor<f32, B, T, H, D> y) const {
    auto q = rope<T, D>(y);
    return softmax<Read<T>>(causal_mask(scores<D>(q, read<T>(q)))).values();
  }
};
NAX_MODEL(model, Model, (forward, (x, y), (weights)));
