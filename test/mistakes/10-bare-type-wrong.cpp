// A type that is no axis.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x) const {
    auto result = sum<int>(x);  // error: sum: int is not an axis; an axis is a struct deriving from Axis, Positions, Causal or Product  [N0010]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x), (result)));
