// Weights sum to 1 over what was read.
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
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
    return dot<H>(w, read<T>(v));  // error: dot<H>: weights [B,T,H,Read<T>] sum to 1 over Read<T>, so only Read<T> may be mixed away: write dot<Read<T>>(w, v)  [N0023]
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v), (y)));
