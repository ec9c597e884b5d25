// Weights were masked; plain numbers are not known to be.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> x) const {
    auto w = softmax<Read<T>>(causal_mask(scores<D>(x, read<T>(x))));
    auto y = dot<Read<T>>(w.values(), read<T>(x));  // error: dot<Read<T>>: [B,T,H,Read<T>] would take in every position of the causal T at each T; only softmax weights may mix them, not their .values()  [N0025]
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
