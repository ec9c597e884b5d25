// Only a training entry has the seed that dropout needs.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Training training) const {
    return x + dropout(training, 0.1, silu(x));
  }
};
NAX_MODEL(model, Model, (forward, (x, training), (y)));
