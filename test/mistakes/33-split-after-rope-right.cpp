// Rotation pairs components of the whole axis.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct E : Product<"E", H, D> {};

struct Model {
  auto forward(Tensor<f32, B, T, E> x) const {
    auto q = rope<T, D>(split<E>(x));
    auto s = scores<D>(q, read<T>(rope<T, D>(split<E>(x))));
    return softmax<Read<T>>(causal_mask(s)).values();
  }
};
NAX_MODEL(model, Model, (forward, (x), (weights)));
