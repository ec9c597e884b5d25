// Ids are indices, not numbers.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 1000> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};

auto model(Tensor<Ids<V>, B, T> i, Param<f32, V, C> table) {
  auto result = embed<V>(i, table);
  return result;
}
