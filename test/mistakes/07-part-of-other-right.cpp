// U is no part of the packed axis.
// RUN: %python %S/check.py right %s
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
    auto result = part<F>(x);
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x), (result)));
