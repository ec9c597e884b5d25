// A product over a shared sequence is its diagonal.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, B, T, C> y) const {
    auto result = sum<C>(x * y);
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, y), (result)));
