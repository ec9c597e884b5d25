// Nor are they features.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct V : Axis<"V", 1000> {};
struct F : Axis<"F", 64> {};
struct E : Axis<"E", 4> {};

auto model(Tensor<Ids<V>, B, E> i, Tensor<f32, B, E> x, Param<f32, E, F> w) {
  auto result = dot<E>(i, w);  // error: dot: ids [B,E] are indices into V, not numbers; look them up: embed<V>(ids, table)  [N0039]
  return result;
}
