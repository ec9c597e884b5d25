// One tensor has an axis once: a square weight goes from C to a second axis.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct E : Axis<"E", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, C, E> w) const {
    auto result = dot<C>(x, w);
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, w), (result)));
