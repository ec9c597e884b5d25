// A result that nobody uses is a forgotten step; this sentence is the compilers' own.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S>, B, T, S> s) {

  auto masked = causal_mask(s);
  return masked;
}
