// A projection sums over the features; this one names the heads, which are inside of them.
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
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, C, F> w) const {
    auto result = dot<C>(x, w);
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, w), (result)));
