// So has a plain contraction over it.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};
struct F : Axis<"F", 64> {};

auto model(Tensor<f32, B, T, C> x, Tensor<f32, B, T, F> y) {
  auto result = dot<F>(y, dot<T>(x, y));  // error: dot: [B,C,F] has seen every position of the causal T; joining it to [B,T,F] tells position t what comes after it  [N0025]
  return result;
}
