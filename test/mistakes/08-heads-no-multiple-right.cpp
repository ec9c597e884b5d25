// Five query heads do not come in groups of two key heads.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct D : Axis<"D", 4> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct J : Axis<"J", 5> {};
struct H : Product<"H", K, G> {};

struct Model {
  auto forward(Tensor<f32, B, T, J, D> p, Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, K, D> k) const {
    auto s = scores<D>(split<H>(q), read<T>(k));
    auto result = softmax<Read<T>>(causal_mask(s));
    return result.values();
  }
};
NAX_MODEL(model, Model, (forward, (p, q, k), (result)));
