// What is called GELU is one of two functions.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, C> x) const {
    auto y = gelu(x, "tanh");  // error: gelu: two functions are called so: gelu(x) is by erf, gelu_tanh(x) by tanh  [N0047]
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
