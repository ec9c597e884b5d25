// On a causal axis scores are masked before softmax.
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
    auto s = scores<D>(q, read<T>(k));
    auto w = softmax<S>(s);  // error: softmax<Read<T>>: scores [B,T,H,Read<T>] are not masked, and T is causal: write softmax<Read<T>>(causal_mask(scores))  [N0022]
    return dot<S>(w, read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v), (y)));
