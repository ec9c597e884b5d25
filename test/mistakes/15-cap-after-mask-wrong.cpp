// Capping masked scores lets blocked positions back in.
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
    auto w = softmax<S>(softcap(causal_mask(s), 30.0));  // error: softcap: scores [B,T,H,Read<T>] are masked already, and capping would let blocked positions back in; cap before the mask  [N0015]
    return dot<S>(w, read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v), (y)));
