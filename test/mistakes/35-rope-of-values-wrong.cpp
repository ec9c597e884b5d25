// Values are not rotated.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

auto model(Tensor<Weights<f32, S>, B, T, H, S> w, Tensor<f32, B, T, H, D> v) {
  auto result = dot<S>(w, read<T>(rope<T, D>(v)));  // error: dot<Read<T>>: the values rotated [B,Read<T>,H,D] are rotated; rope is for queries and keys only  [N0035]
  return result;
}
