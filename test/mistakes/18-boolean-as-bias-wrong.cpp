// A mask is not added.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S>, B, T, H, S> s, Tensor<boolean, B, S> m) {
  auto result = bias(s, m);  // error: bias: bool [B,Read<T>] is a mask, not numbers to add; write mask(scores, allowed_where_true(m))  [N0018]
  return result;
}
