// Scores are scaled by 1/sqrt(D) already.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S>, B, T, H, S> s) {
  auto result = causal_mask(s);
  return result;
}
