// So has a norm over it.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};

auto model(Tensor<f32, B, T, C> x, Param<f32, C> g) {
  auto result = layer_norm<C>(x, g, Eps{1e-5});
  return result;
}
