// A function says which axes it takes; their order is free.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};
struct F : Axis<"F", 64> {};
auto twice(Tensor<f32, B, T, C> x) { return x + x; }

auto model(Tensor<f32, B, T, F> x, Tensor<f32, T, B, C> y) {
  auto result = twice(x);  // error: passing [B,T,F] where [B,T,C] is meant: C is missing and F is too many  [N0001]
  return result;
}
