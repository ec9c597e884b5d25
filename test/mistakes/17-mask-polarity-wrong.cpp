// A boolean does not say what true means.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v, Tensor<boolean, B, S> real) const {
    auto s = causal_mask(scores<D>(q, read<T>(k)));
    auto w = softmax<S>(mask(s, real));  // error: mask: bool [B,Read<T>] does not say what true means; write allowed_where_true(m) or blocked_where_true(m)  [N0017]
    return dot<S>(w, read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v, real), (y)));
