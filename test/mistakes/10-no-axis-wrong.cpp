// No axis is a default.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

auto model(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k) {
  auto s = causal_mask(scores<D>(q, read<T>(k)));
  auto result = softmax(s);  // error: softmax: name the axis in angle brackets: softmax<S>(x)  [N0010]
  return result;
}
