// Old positions and new ones laid one after another: at which is each?
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct Old : Axis<"Old"> {};
struct New : Axis<"New"> {};
struct All : Concat<"All", Old, New> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, Old, H, D> old, Tensor<f32, B, New, H, D> more, Tensor<f32, B, T, H, D> x) const {
    auto q = rope<T, D>(x);
    return softmax<Read<T>>(causal_mask(scores<D>(q, read<T>(q)))).values();
  }
};
NAX_MODEL(model, Model, (forward, (old, more, x), (weights)));
