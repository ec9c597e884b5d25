// On a causal axis scores are masked before softmax.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S>, B, T, H, S> s) {
  auto result = softmax<S>(s);  // error: softmax<Read<T>>: scores [B,T,H,Read<T>] are not masked, and T is causal: write softmax<Read<T>>(causal_mask(scores))  [N0022]
  return result;
}
