// The mean of whole numbers is none.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<i32, B, C> x) const {
    return mean<C>(to<f32>(x));
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
