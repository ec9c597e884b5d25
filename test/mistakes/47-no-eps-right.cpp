// Model families disagree on the eps.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 32> {};

auto model(Tensor<f32, B, T, C> x, Param<f32, C> gain) {
  auto result = rms_norm<C>(x, gain, Eps{1e-5});
  return result;
}
