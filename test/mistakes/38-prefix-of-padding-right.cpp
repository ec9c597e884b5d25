// What comes first in a left-padded row is padding.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T", LeftPadded> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> x) const {
    auto m = window<T>(3);
    return softmax<Read<T>>(causal_mask(mask(scores<D>(x, read<T>(x)), m))).values();
  }
};
NAX_MODEL(model, Model, (forward, (x), (weights)));
