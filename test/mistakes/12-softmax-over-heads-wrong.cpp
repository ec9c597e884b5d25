// Nor over the heads.
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
    auto s = causal_mask(scores<D>(q, read<T>(k)));
    auto w = softmax<H>(s);  // error: softmax<H>: H is not what is being read in scores [B,T,H,Read<T>]; each query normalises over the positions it reads: write softmax<Read<T>>  [N0012]
    return dot<S>(w, read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v), (y)));
