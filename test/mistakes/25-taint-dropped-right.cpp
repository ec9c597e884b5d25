// A type that does not say so may not take it.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, B, P, C> z) const {
    Tensor<f32, B, C> y = mean<P>(z);
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x, z), (y)));
