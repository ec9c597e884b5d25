// A type that is no axis.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};

auto model(Tensor<f32, B, T, C> x) {
  auto result = sum<int>(x);  // error: sum: int is not an axis; an axis is a struct deriving from Axis, Positions, Causal or Product  [N0010]
  return result;
}
