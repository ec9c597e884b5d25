// Mask<Q, K> is what a tensor may be of; a mask is a Tensor of it.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Positions<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, S, H, D> k, Tensor<boolean, B, S> m) const {
    auto s = mask(scores<D>(q, k), allowed_where_true(m));
    return dot<S>(softmax<S>(s), k);
  }
};
NAX_MODEL(model, Model, (forward, (q, k, m), (y)));
