// The axis is said in angle brackets, not by its number.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x) const {
    auto result = softmax<C>(x);
    return result.values();
  }
};
NAX_MODEL(model, Model, (forward, (x), (result)));
