// U is no part of the packed axis.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct U : Axis<"U", 20> {};
struct F : Axis<"F", 6> {};
struct E : Axis<"E", 4> {};
struct QKV : Concat<"QKV", F, E> {};

struct Model {
  auto forward(Tensor<f32, B, T, QKV> x) const {
    auto result = part<U>(x);  // error: part<U>: QKV = F + E of [B,T,QKV] has no part U  [N0007]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x), (result)));
