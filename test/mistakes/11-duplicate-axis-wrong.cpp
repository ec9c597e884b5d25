// One tensor has an axis once; what is read stands on Read<T>.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
using S = Read<T>;

auto model(Tensor<f32, B, T> x) {
  auto result = Tensor<f32, B, T, T>{};  // error: Tensor: [B,T,T] has the axis T twice; what is read stands on Read<T>, or declare a second axis  [N0011]
  return result;
}
