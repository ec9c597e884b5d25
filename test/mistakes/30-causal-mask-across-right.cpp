// Between two sequences there is no before and after.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
using R = Read<P>;

auto model(Tensor<Scores<f32, T, R>, B, T, H, R> s, Tensor<i32, B> n) {
  auto result = mask(s, shorter_than<P>(n));
  return result;
}
