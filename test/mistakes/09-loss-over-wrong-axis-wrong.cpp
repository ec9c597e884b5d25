// The logits are over V.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 1000> {};

auto model(Tensor<Logits<f32, V>, B, T, V> x, Tensor<Ids<V>, B, Next<T>> y) {
  auto result = cross_entropy<T>(x, y);  // error: cross_entropy<T>: the logits are over V: write cross_entropy<V>  [N0009]
  return result;
}
