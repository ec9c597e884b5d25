// Position t predicts what comes next.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 1000> {};

auto model(Tensor<Logits<f32, V>, B, T, V> x, Tensor<Ids<V>, B, T> y) {
  auto result = cross_entropy<V>(x, next<T>(y));
  return result;
}
