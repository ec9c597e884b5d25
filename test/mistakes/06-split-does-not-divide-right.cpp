// H x N is 14, which is not the 8 of the width.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct C : Axis<"C", 8> {};
struct N : Axis<"N", 7> {};
struct Q : Product<"Q", H, N> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, C, Q> w) const {
    auto result = split<Q>(dot<C>(x, w));
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, w), (result)));
