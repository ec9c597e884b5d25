// Model families disagree on the eps.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 32> {};

auto model(Tensor<f32, B, T, C> x, Param<f32, C> gain) {
  auto result = rms_norm<C>(x, gain);  // error: rms_norm: model families disagree on the eps, so say it: rms_norm<C>(x, gain, Eps{1e-5})  [N0047]
  return result;
}
