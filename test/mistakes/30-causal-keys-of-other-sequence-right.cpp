// Nothing says how the positions of two causal sequences align.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct N : Causal<"N"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, N, H, D> k, Tensor<f32, B, P, H, D> e) const {
    auto s = scores<D>(q, read<P>(e));
    return softmax<Read<P>>(s).values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k, e), (weights)));
