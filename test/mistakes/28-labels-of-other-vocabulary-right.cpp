// The labels index another vocabulary.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 1000> {};
struct U : Axis<"U", 2000> {};

auto model(Tensor<Logits<f32, V>, B, T, V> x, Tensor<Ids<U>, B, Next<T>> y, Tensor<Ids<V>, B, Next<T>> z) {
  auto result = cross_entropy<V>(x, z);
  return result;
}
