// A scale comes before the mask.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v) const {
    auto s = causal_mask(scores<D>(q, read<T>(k), Scale{0.25}));
    return dot<S>(softmax<S>(s), read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v), (y)));
