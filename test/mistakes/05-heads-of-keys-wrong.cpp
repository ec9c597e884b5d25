// The keys have heads that the queries lack.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};

struct Model {
  auto forward(Tensor<f32, B, T, D> q, Tensor<f32, B, T, H, D> k) const {
    auto s = scores<D>(q, read<T>(k));  // error: scores<D>: the key [B,Read<T>,H,D] has H but the query [B,T,D] has not; spread<H>(q) asks with each, or queries come in groups: struct Q : Product<"Q", H, G> {}  [N0005]
    auto result = softmax<Read<T>>(causal_mask(s));
    return result.values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (result)));
