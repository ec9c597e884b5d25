// 1 for what may be read and 0 for padding, as files have it, would be added.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v, Tensor<i32, B, S> real) const {
    auto s = scores<D>(q, read<T>(k));
    auto w = softmax<S>(causal_mask(bias(s, real)));  // error: bias: [B,Read<T>] of i32 are whole numbers; if they say what may be read, write mask(scores, allowed_where_true(to<boolean>(m)))  [N0018]
    return dot<S>(w, read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v, real), (y)));
