// A result that nobody uses is a forgotten step; this sentence is the compilers' own.
// RUN: not %nax-cxx -fsyntax-only %s 2>&1 | FileCheck %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S>, B, T, S> s) {
  // CHECK: 45-thrown-away-wrong.cpp:[[@LINE+1]]:{{.*}}error: {{ignoring.*nodiscard}}
  causal_mask(s);
  return s;
}
