// A bias belongs before softmax.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v, Tensor<f32, H, T, S> b) const {
    auto s = scores<D>(q, read<T>(k));
    auto w = softmax<S>(causal_mask(s)) + b;  // error: operator+: [H,T,Read<T>] is added to weights [B,T,H,Read<T>], which would no longer sum to 1; a bias belongs before softmax: bias(scores, b)  [N0021]
    return dot<S>(w, read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v, b), (y)));
