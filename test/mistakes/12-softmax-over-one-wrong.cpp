// Every weight over an axis of size 1 is 1.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct F : Axis<"F", 64> {};
struct I : Axis<"I", 1> {};

auto model(Tensor<f32, B, I> x, Tensor<f32, B, F> y) {
  auto result = softmax<I>(x);  // error: softmax<I>: I of [B,I] has size 1, so every weight is 1  [N0012]
  return result;
}
