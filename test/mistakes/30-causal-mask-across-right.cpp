// Between two sequences there is no before and after.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, P, H, D> k, Tensor<i32, B> lengths) const {
    auto s = scores<D>(q, read<P>(k));
    auto m = mask(s, shorter_than<P>(lengths));
    return softmax<Read<P>>(m).values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k, lengths), (weights)));
