// Each query normalises over what it reads, not over the queries.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 4> {};
using S = Read<T>;

auto model(Tensor<Scores<f32, T, S, Causally>, B, T, H, S> s) {
  auto result = softmax<T>(s);  // error: softmax<T>: T is the querying axis of scores [B,T,H,Read<T>]; each query normalises over the positions it reads: write softmax<Read<T>>  [N0012]
  return result;
}
