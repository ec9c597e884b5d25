// The ids of one vocabulary in another's table.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 1000> {};
struct U : Axis<"U", 2000> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};

auto model(Tensor<Ids<V>, B, T> i, Param<f32, U, C> t, Param<f32, V, C> u) {
  auto result = embed<U>(i, t);  // error: embed<U>: ids [B,T] index V, not U; write embed<V>(ids, table of V)  [N0040]
  return result;
}
