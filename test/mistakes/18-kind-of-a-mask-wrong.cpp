// Mask<Q, K> is what a tensor may be of; a mask is a Tensor of it.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Positions<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, S, H, D> k, Tensor<boolean, B, S> m) const {
    auto s = mask(scores<D>(q, k), Mask<Every, S>(m));  // error: mask: Mask<Every, Read<T>> alone is no tensor; it is declared Tensor<Mask<Every, Read<T>>, ...>, and made of booleans by allowed_where_true(m)  [N0018]
    return dot<S>(softmax<S>(s), k);
  }
};
NAX_MODEL(model, Model, (forward, (q, k, m), (y)));
