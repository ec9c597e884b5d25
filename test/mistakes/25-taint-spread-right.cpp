// Nor does spreading it over the positions.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};

auto model(Tensor<f32, B, T, C> x) {
  auto result = spread<P>(mean<T>(x));
  return result;
}
