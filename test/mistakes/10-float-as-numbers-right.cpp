// What the numbers are is said in nax's words, so that a file and C agree on it.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 32> {};

auto model(Tensor<f32, B, C> x) {
  auto result = x * 2.0;
  return result;
}
