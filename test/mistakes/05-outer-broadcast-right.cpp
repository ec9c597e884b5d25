// Each side has an axis that the other lacks.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct F : Axis<"F", 6> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, B, F> y) const {
    auto result = spread<F>(x) + y;
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, y), (result)));
