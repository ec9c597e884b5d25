// Values are not rotated.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

auto model(Tensor<Weights<f32, S>, B, T, H, S> w, Tensor<f32, B, T, H, D> v) {
  auto result = dot<S>(w, read<T>(v));
  return result;
}
