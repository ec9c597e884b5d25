// A cache of its own counts from 0 again, and so do the new positions.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct N : Causal<"N"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, N, H, D> q, Tensor<f32, B, P, H, D> k) const {
    auto s = scores<D>(q, read<P>(k));
    return softmax<Read<P>>(s).values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (weights)));
