// A boolean does not say what true means.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S>, B, T, H, S> s, Tensor<boolean, B, S> m) {
  auto result = mask(s, allowed_where_true(m));
  return result;
}
