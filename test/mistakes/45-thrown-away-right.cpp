// A result that nobody uses is a forgotten step; the compilers have a sentence of their own for it.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, D> q, Tensor<f32, B, T, D> k) const {
    auto s = causal_mask(scores<D>(q, read<T>(k)));
    s = mask(s, window<T>(4));
    return softmax<S>(s).values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (weights)));
