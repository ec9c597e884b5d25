// The product is of H and D, the tensor has G and D.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct C : Product<"C", H, D> {};
struct G : Axis<"G", 2> {};

struct Model {
  auto forward(Tensor<f32, B, T, G, D> x, Tensor<f32, B, T, H, D> y) const {
    auto result = merge<C>(y);
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, y), (result)));
