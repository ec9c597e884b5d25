// Each side has an axis that the other lacks.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};
struct F : Axis<"F", 64> {};

auto model(Tensor<f32, B, T, C> x, Tensor<f32, B, F> y) {
  auto result = x + y;  // error: operator+: [B,T,C] has T and [B,F] has F that the other has not; spell the outer product: spread<F>(x) + y  [N0005]
  return result;
}
