// A parameter on a sequence breaks at an offset; a table of positions does not.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 8> {};
struct C : Product<"C", H, D> {};
struct L : Causal<"L", 128> {};
struct N : Axis<"N", 128> {};

auto model(Tensor<f32, B, L, C> x, Param<f32, L, C> p, Param<f32, N, C> q) {
  auto result = x + p;  // error: operator+: the parameter [L,C] stands on the sequence L; learned positions are embed_positions<L>(x, table) with a table on a plain axis of positions  [N0036]
  return result;
}
