// A window counts the position itself, so that none is an empty one.
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
    auto m = window<T>(1);
    auto s = causal_mask(mask(scores<D>(q, read<T>(k)), m));
    return dot<S>(softmax<S>(s), read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v), (y)));
