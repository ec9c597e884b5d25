// Only a training entry has the seed that dropout needs.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Training training) const {
    return x + dropout(0.1, silu(x));  // error: dropout: only a training entry, which takes a Training as an argument, drops out: dropout(training, 0.1, x)  [N0043]
  }
};
NAX_MODEL(model, Model, (forward, (x, training), (y)));
