// Only the weight has F: nothing would be multiplied with anything.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};
struct F : Axis<"F", 64> {};

auto model(Tensor<f32, B, T, C> x, Param<f32, C, F> w) {
  auto result = dot<C>(x, w);
  return result;
}
