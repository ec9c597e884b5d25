// An axis is a struct of its own: a name for Axis<"C", 8> makes none.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
using C = Axis<"C", 8>;

struct Model {
  auto forward(Tensor<f32, B, C> x) const { return x * 2.0; }  // error: Tensor: C in [B,C] is not an axis; an axis is a struct deriving from Axis, Positions, Causal or Product  [N0010]
};
NAX_MODEL(model, Model, (forward, (x), (result)));
