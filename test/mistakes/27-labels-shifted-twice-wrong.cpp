// Shifted twice, it predicts the token after the next.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 1000> {};

auto model(Tensor<Ids<V>, B, T> y) {
  auto result = next<T>(next<T>(y));  // error: next<T>: ids [B,Next<T>] is shifted already; shift once  [N0027]
  return result;
}
