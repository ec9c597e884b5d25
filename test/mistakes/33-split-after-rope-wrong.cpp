// Rotation pairs components of the whole axis.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct E : Product<"E", H, D> {};

auto model(Tensor<f32, B, T, E> x) {
  auto result = split<E>(rope<T, E>(x));  // error: split<E>: rotated [B,T,E] is rotated over E, which stays whole; do this before rope  [N0033]
  return result;
}
