// A large negative number where padding is, added to scores, is a mask in disguise.
// RUN: %python %S/check.py right %s
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
    auto w = softmax<S>(causal_mask(mask(s, blocked_where_true(hidden))));
    return dot<S>(w, read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v, hidden), (y)));
