// A bias belongs before softmax.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;

auto model(Tensor<Weights<f32, S>, B, T, H, S> w, Tensor<f32, H, T, S> b, Tensor<Scores<f32, T, S>, B, T, H, S> s) {
  auto result = bias(s, b);
  return result;
}
