// F is not declared as a product.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct C : Product<"C", H, D> {};
struct F : Axis<"F", 6> {};

struct Model {
  auto forward(Tensor<f32, B, T, F> x, Tensor<f32, B, T, C> y) const {
    auto result = split<C>(y);
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, y), (result)));
