// A mask after softmax leaves weights that do not sum to 1.
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
    auto w = mask(softmax<S>(s), window<T>(3));  // error: mask: weights [B,T,H,Read<T>] are weights already; mask works on scores: put it before softmax<Read<T>>  [N0014]
    return dot<S>(w, read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v), (y)));
