// How much a position is read is known after the last one only.
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
    auto y = sum<T>(w.values());  // error: sum<T>: [B,T,H,Read<T>] would carry every position of the causal T back to Read<T>; mix with softmax weights  [N0025]
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
