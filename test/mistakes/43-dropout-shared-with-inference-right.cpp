// What training and inference share drops out only where there is a Training.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto loss(Tensor<f32, B, T, C> x, Training training) const { return mean<B, T, C>(dropout(training, 0.1, silu(x))); }
  auto forward(Tensor<f32, B, T, C> x) const {
    return silu(x);
  }
};
NAX_MODEL(model, Model, (loss, (x, training), (loss)), (forward, (x), (y)));
