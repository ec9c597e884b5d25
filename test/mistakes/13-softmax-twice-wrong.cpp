// Weights sum to 1 already.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;

auto model(Tensor<Weights<f32, S>, B, T, H, S> w) {
  auto result = softmax<S>(w);  // error: softmax<Read<T>>: weights [B,T,H,Read<T>] are weights already (they sum to 1 over Read<T>); drop the second softmax  [N0013]
  return result;
}
