// A softmax of what a plain dot matched has no scale.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, P, H, D> k) const {
    auto s = dot<D>(q, k);
    auto w = softmax<P>(s * 0.5);
    return dot<P>(w, k);
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (y)));
