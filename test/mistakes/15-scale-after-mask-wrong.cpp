// A scale comes before the mask.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v) const {
    auto s = causal_mask(scores<D>(q, read<T>(k))) * 0.25;  // error: operator*: scores [B,T,H,Read<T>] are masked already, and a scale comes before the mask: scores<D>(q, k, Scale{s})  [N0015]
    return dot<S>(softmax<S>(s), read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v), (y)));
