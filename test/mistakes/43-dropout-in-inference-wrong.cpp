// Only a training entry has the seed that dropout needs.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 32> {};

auto model(Tensor<f32, B, T, C> x) {
  auto result = dropout(0.1, x);  // error: dropout: only a training entry, which takes a Training as an argument, drops out: dropout(training, 0.1, x)  [N0043]
  return result;
}
