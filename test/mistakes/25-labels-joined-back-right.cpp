// What stands on Next<T> holds the future, and so does a mean of it.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 32> {};
struct V : Axis<"V", 50> {};

auto model(Tensor<Ids<V>, B, T> ids, Param<f32, V, C> table) {
  auto result = embed<V>(ids, table) + embed<V>(ids, table);
  return result;
}
