// A product with weights mixes nothing.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v, Tensor<f32, B, T, H> gate) const {
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
    return dot<S>(w * gate, read<T>(v));  // error: operator*: weights [B,T,H,Read<T>] are weights over Read<T>; mix values with dot<Read<T>>, or take them as plain numbers with .values()  [N0023]
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v, gate), (y)));
