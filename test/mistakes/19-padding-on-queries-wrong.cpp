// Padding hides what is read, not who asks.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v, Tensor<boolean, B, T> m, Tensor<boolean, B, S> n) const {
    auto s = causal_mask(scores<D>(q, read<T>(k)));
    auto w = softmax<S>(mask(s, allowed_where_true(m)));  // error: allowed_where_true: bool [B,T] stands on T; a mask is about what is read: Read<T>  [N0019]
    return dot<S>(w, read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v, m, n), (y)));
