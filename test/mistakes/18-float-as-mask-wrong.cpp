// Numbers are added, a mask is not.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S>, B, T, H, S> s, Tensor<f32, B, S> m) {
  auto result = mask(s, m);  // error: mask: [B,Read<T>] of f32 are numbers, not a mask; added numbers are bias(scores, b), a mask is a Mask<Q,K>  [N0018]
  return result;
}
