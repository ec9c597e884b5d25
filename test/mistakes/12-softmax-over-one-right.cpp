// Every weight over an axis of size 1 is 1.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct F : Axis<"F", 64> {};
struct I : Axis<"I", 1> {};

auto model(Tensor<f32, B, I> x, Tensor<f32, B, F> y) {
  auto result = softmax<F>(y);
  return result;
}
