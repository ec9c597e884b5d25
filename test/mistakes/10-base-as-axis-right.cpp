// An axis is a struct of its own: a name for Axis<"C", 8> makes none.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, C> x) const { return x * 2.0; }
};
NAX_MODEL(model, Model, (forward, (x), (result)));
