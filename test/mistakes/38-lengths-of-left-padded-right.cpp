// Rows that end together have no length to cut them at.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T", LeftPadded> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> x, Tensor<i32, B> lengths) const {
    auto s = scores<D>(x, read<T>(x));
    auto m = mask(s, window<T>(3));
    return softmax<Read<T>>(causal_mask(m)).values();
  }
};
NAX_MODEL(model, Model, (forward, (x, lengths), (weights)));
