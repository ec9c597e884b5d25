// So has a norm over it.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};

auto model(Tensor<f32, B, T, C> x, Param<f32, C> g) {
  auto result = layer_norm<T>(x, g, Eps{1e-5});  // error: layer_norm<T>: T of [B,T,C] is causal, and a norm over all of it tells position t what comes after it; normalise over the features  [N0025]
  return result;
}
