// The mask is about P, the scores read T.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;
using R = Read<P>;

auto model(Tensor<Scores<f32, T, S>, B, T, H, S> s, Tensor<Mask<Every, R>, B, R> m, Tensor<Mask<Every, S>, B, S> n) {
  auto result = mask(s, n);
  return result;
}
