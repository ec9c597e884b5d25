// The product is of H and D, the tensor has G and D.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};
struct G : Axis<"G", 4> {};

auto model(Tensor<f32, B, T, G, D> x, Tensor<f32, B, T, H, D> y) {
  auto result = merge<C>(x);  // error: merge<C>: C = H x D, but [B,T,G,D] has no H  [N0006]
  return result;
}
