// The scores have no axis F.
// RUN: %python %S/check.py wrong %s
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
    auto weights = softmax<F>(causal_mask(s));  // error: softmax<F>: scores [B,T,H,Read<T>] has no axis F; scores normalise over what is read: write softmax<Read<T>>  [N0001]
    return weights.values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (weights)));
