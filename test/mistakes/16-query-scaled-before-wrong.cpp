// The query comes with its scale, and scores give another.
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
    auto s = scores<D>(q * 0.5, read<T>(k));  // naxc error: scores<D>: the query was multiplied by 1/sqrt(D) before, and scores<D> multiplies by 1/sqrt(D) itself; leave the first out, or write scores<D>(q, k, Scale{1})  [N0016]
    return dot<S>(softmax<S>(causal_mask(s)), read<T>(v));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, v), (y)));
