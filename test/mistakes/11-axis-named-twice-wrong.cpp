// An axis is summed once.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct F : Axis<"F", 6> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, C, F> w) const {
    auto result = dot<C, C>(x, w);  // error: dot<C,C>: C is named twice  [N0011]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, w), (result)));
