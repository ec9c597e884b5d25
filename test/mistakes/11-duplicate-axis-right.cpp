// One tensor has an axis once; what is read stands on Read<T>.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
using S = Read<T>;

auto model(Tensor<f32, B, T> x) {
  auto result = Tensor<f32, B, T, S>{};
  return result;
}
