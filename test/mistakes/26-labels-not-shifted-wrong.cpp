// Position t predicts what comes next.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 1000> {};

auto model(Tensor<Logits<f32, V>, B, T, V> x, Tensor<Ids<V>, B, T> y) {
  auto result = cross_entropy<V>(x, y);  // error: cross_entropy<V>: the labels ids [B,T] stand on T, but position t of logits [B,T,V] predicts what comes next: write cross_entropy<V>(logits, next<T>(ids))  [N0026]
  return result;
}
