// Weights were masked; plain numbers are not known to be.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

auto model(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v) {
  auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
  auto result = dot<S>(w, read<T>(v));
  return result;
}
