// In cross-attention keys and values are read from one place.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using R = Read<P>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, P, H, D> k, Tensor<f32, B, P, H, D> v) const {
    auto w = softmax<R>(scores<D>(q, read<P>(k)));
    return dot<R>(w, read<P>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v), (y)));
