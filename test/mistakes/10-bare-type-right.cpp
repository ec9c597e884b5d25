// A type that is no axis.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x) const {
    auto result = sum<C>(x);
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x), (result)));
