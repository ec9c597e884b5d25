// The mean of whole numbers is none.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<i32, B, C> x) const {
    return mean<C>(x);  // error: mean: [B,C] are whole numbers (i32); convert them first: to<f32>(x)  [N0044]
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
