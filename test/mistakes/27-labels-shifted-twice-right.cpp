// Shifted twice, it predicts the token after the next.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 1000> {};

auto model(Tensor<Ids<V>, B, T> y) {
  auto result = next<T>(y);
  return result;
}
