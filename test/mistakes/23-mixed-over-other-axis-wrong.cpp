// Weights sum to 1 over what was read.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

auto model(Tensor<Weights<f32, S>, B, T, H, S> w, Tensor<f32, B, S, H, D> v) {
  auto result = dot<H>(w, v);  // error: dot<H>: weights [B,T,H,Read<T>] sum to 1 over Read<T>, so only Read<T> may be mixed away: write dot<Read<T>>(w, v)  [N0023]
  return result;
}
