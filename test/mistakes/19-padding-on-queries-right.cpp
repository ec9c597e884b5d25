// Padding hides what is read, not who asks.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S>, B, T, H, S> s, Tensor<boolean, B, T> m, Tensor<boolean, B, S> n) {
  auto result = mask(s, allowed_where_true(n));
  return result;
}
