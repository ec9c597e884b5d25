// F is not declared as a product.
// RUN: %python %S/check.py wrong %s
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
    auto result = split<F>(x);  // error: split<F>: F is one axis, not a product; declare how it splits: struct F : Product<"F", H, D> {}  [N0006]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, y), (result)));
