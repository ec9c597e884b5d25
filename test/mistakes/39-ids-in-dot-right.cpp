// Nor are they features.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct V : Axis<"V", 1000> {};
struct F : Axis<"F", 64> {};
struct E : Axis<"E", 4> {};

auto model(Tensor<Ids<V>, B, E> i, Tensor<f32, B, E> x, Param<f32, E, F> w) {
  auto result = dot<E>(x, w);
  return result;
}
