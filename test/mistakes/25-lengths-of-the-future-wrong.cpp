// A length that is counted along T tells each position how many follow.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> x, Tensor<i32, B, T> real, Tensor<i32, B> lengths) const {
    auto s = mask(scores<D>(x, read<T>(x)), shorter_than<T>(sum<T>(real)));  // error: shorter_than<T>: [B] has seen every position of the causal T, so that each would know how many follow; the lengths are an argument of the entry  [N0025]
    return dot<Read<T>>(softmax<Read<T>>(causal_mask(s)), read<T>(x));
  }
};
NAX_MODEL(model, Model, (forward, (x, real, lengths), (y)));
