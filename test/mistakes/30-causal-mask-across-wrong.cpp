// Between two sequences there is no before and after.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 4> {};
using R = Read<P>;

auto model(Tensor<Scores<f32, T, R>, B, T, H, R> s, Tensor<i32, B> n) {
  auto result = causal_mask(s);  // error: causal_mask: scores [B,T,H,Read<P>] reads P from T: two sequences have no order between them; for padding write mask(scores, shorter_than<P>(lengths))  [N0030]
  return result;
}
