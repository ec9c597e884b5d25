// A function says which axes it takes; their order is free.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct F : Axis<"F", 6> {};

struct Model {
  auto twice(Tensor<f32, B, T, C> x) const { return x + x; }
  auto forward(Tensor<f32, B, T, F> f, Tensor<f32, T, B, C> c) const {
    auto y = twice(c);
    return std::tuple(y, f + f);
  }
};
NAX_MODEL(model, Model, (forward, (f, c), (y, g)));
