// Weights sum to 1 already.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;

auto model(Tensor<Weights<f32, S>, B, T, H, S> w) {
  auto result = w.values();
  return result;
}
