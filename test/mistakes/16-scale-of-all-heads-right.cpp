// Nor that of all heads together.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct HD : Product<"HD", H, D> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, HD> q, Tensor<f32, B, T, HD> k) const {
    auto s = scores<D>(split<HD>(q), read<T>(split<HD>(k)), Scale{0.5});
    return dot<S>(softmax<S>(causal_mask(s)), read<T>(split<HD>(k)));
  }
};
NAX_MODEL(model, Model, (forward, (q, k), (y)));
