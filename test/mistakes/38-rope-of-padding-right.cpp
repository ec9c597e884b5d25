// A mask hides the padding of each row, which rope counts.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> x, Tensor<boolean, B, Read<T>> padding, Tensor<i32, B> lengths) const {
    auto q = rope<T, D>(x);
    auto s = scores<D>(q, read<T>(q));
    auto m = mask(s, shorter_than<T>(lengths));
    return dot<Read<T>>(softmax<Read<T>>(causal_mask(m)), read<T>(x));
  }
};
NAX_MODEL(model, Model, (forward, (x, padding, lengths), (y)));
