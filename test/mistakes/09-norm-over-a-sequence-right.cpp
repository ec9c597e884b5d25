// A norm is over the features of one position.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct P : Positions<"P"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, P, C> x, Tensor<f32, C> g) const {
    auto result = rms_norm<C>(x, g, Eps{1e-5});
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, g), (result)));
