// What the numbers are is said in nax's words, so that a file and C agree on it.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, C> x) const {
    auto result = x * 2.0;
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x), (result)));
