// Values are not rotated.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

struct Model {
  auto forward(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> v) const {
    auto rotated = rope<T, D>(q);
    auto w = softmax<S>(causal_mask(scores<D>(rotated, read<T>(rotated))));
    return dot<S>(w, read<T>(rope<T, D>(v)));  // error: dot<Read<T>>: the values rotated [B,Read<T>,H,D] are rotated; rope is for queries and keys only  [N0035]
  }
};
NAX_MODEL(model, Model, (forward, (q, v), (y)));
