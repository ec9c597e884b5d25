// The scores have no axis F.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct F : Axis<"F", 6> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) const {
    auto s = scores<D>(q, read<T>(k));
    auto weights = softmax<S>(causal_mask(s));
    return weights.values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (weights)));
