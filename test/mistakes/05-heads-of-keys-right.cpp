// The keys have heads that the queries lack.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};

struct Model {
  auto forward(Tensor<f32, B, T, D> q, Tensor<f32, B, T, H, D> k) const {
    auto s = scores<D>(spread<H>(q), read<T>(k));
    auto result = softmax<Read<T>>(causal_mask(s));
    return result.values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (result)));
