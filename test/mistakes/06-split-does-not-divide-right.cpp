// H x N is 28, which is not the 32 of the width.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};
struct F : Axis<"F", 64> {};
struct N : Axis<"N", 7> {};
struct Q : Product<"Q", H, N> {};

auto model(Tensor<f32, B, T, Q> q, Param<f32, C, F> w, Param<f32, Q, F> u) {
  auto result = dot<Q>(q, u);
  return result;
}
