// Nor one mean.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T", Packed> {};
struct C : Axis<"C", 4> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x) const {
    auto y = mean<B, T>(x);
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
