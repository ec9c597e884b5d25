// In cross-attention what is read has lengths of its own.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using R = Read<P>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, P, H, D> k, Tensor<i32, B> lengths) const {
    auto s = scores<D>(q, read<P>(k));
    auto w = softmax<R>(mask(s, shorter_than<P>(lengths)));
    return dot<R>(w, read<P>(k));
  }
};
NAX_MODEL(model, Model, (forward, (q, k, lengths), (y)));
