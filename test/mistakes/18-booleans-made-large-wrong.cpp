// A large negative number where padding is, added to scores, is a mask in disguise.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v, Tensor<boolean, B, S> hidden) const {
    auto s = scores<D>(q, read<T>(k));
    auto w = softmax<S>(causal_mask(bias(s, to<f32>(hidden) * -1e9)));  // naxc error: bias: [B,Read<T>] is bool [B,Read<T>] made large, a mask in disguise; write mask(scores, allowed_where_true(m))  [N0018]
    return dot<S>(w, read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v, hidden), (y)));
