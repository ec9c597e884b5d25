// The scores have no axis F.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
struct F : Axis<"F", 64> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S, Causally>, B, T, H, S> s) {
  auto result = softmax<F>(s);  // error: softmax<F>: scores [B,T,H,Read<T>] has no axis F; scores normalise over what is read: write softmax<Read<T>>  [N0001]
  return result;
}
