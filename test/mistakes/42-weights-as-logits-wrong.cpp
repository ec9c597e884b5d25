// The loss takes logits.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 1000> {};

auto model(Tensor<Logits<f32, V>, B, T, V> x, Tensor<Ids<V>, B, Next<T>> y) {
  auto result = cross_entropy<V>(softmax<V>(x), y);  // error: cross_entropy<V>: weights [B,T,V] are probabilities already; it takes logits: drop the softmax  [N0042]
  return result;
}
