// The weight has queries, keys, values, and the bias queries, values, keys: equal in size.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct F : Axis<"F", 6> {};
struct E : Axis<"E", 4> {};
struct N : Axis<"N", 4> {};
struct QKV : Concat<"QKV", F, E, N> {};
struct QVK : Concat<"QVK", F, N, E> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, C, QKV> w, Tensor<f32, QVK> b, Tensor<f32, QKV> a) const {
    auto result = dot<C>(x, w) + b;  // error: operator+: [B,T,QKV] has QKV = F + E + N and [QVK] has QVK = F + N + E, the same parts in another order; use one of the two  [N0007]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, w, b, a), (result)));
