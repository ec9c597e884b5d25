// A softmax and back does not make it forget.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x) const {
    auto y = x + softmax<C>(x).values();
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
