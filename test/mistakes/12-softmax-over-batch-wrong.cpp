// Nor over the rows of the batch.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S, Causally>, B, T, H, S> s) {
  auto result = softmax<B>(s);  // error: softmax<B>: B is not what is being read in scores [B,T,H,Read<T>]; each query normalises over the positions it reads: write softmax<Read<T>>  [N0012]
  return result;
}
