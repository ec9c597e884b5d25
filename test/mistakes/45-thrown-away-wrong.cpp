// A result that nobody uses is a forgotten step; the compilers have a sentence of their own for it.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, D> q, Tensor<f32, B, T, D> k) const {
    auto s = causal_mask(scores<D>(q, read<T>(k)));
    mask(s, window<T>(4));  // error: mask: its result scores [B,T,Read<T>] is thrown away; operations change nothing in place, so take it: auto y = mask(...)  [N0045]
    return softmax<S>(s).values();
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (weights)));
