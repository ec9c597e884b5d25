// Only a training entry has the seed that dropout needs.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 32> {};

auto model(Tensor<f32, B, T, C> x, Training training) {
  auto result = dropout(training, 0.1, x);
  return result;
}
