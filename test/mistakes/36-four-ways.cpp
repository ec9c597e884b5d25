// Rule 36 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct L : Causal<"L", 16> {};
struct T : Causal<"T"> {};
struct P : Axis<"P", 64> {};
struct C : Axis<"C", 32> {};

auto on_a_value(Tensor<f32, B, L, C> x, Param<f32, L, C> learned) {
  auto y = silu(x);
  return y + learned;  // error: operator+: the parameter [L,C] stands on the sequence L; learned positions are embed_positions<L>(x, table) with a table on a plain axis of positions  [N0036]
}

auto helper(auto x, auto table) {
  return x + table;  // error: operator+: the parameter [P,C] has P, which [T,C] has not; a table is looked up: embed<P>(ids, table); positions are embed_positions<T>(x, table)  [N0036]
}
auto in_a_helper(Tensor<f32, T, C> x, Param<f32, P, C> table) { return helper(silu(x), table); }

struct Inner {
  auto operator()(Tensor<f32, B, L> x, Param<f32, L> learned) const {
    return x * learned;  // error: operator*: the parameter [L] stands on the sequence L; learned positions are embed_positions<L>(x, table) with a table on a plain axis of positions  [N0036]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, L> x, Param<f32, L> learned) const { return inner(x, learned); }
};

auto swapped(Tensor<f32, B, L, C> x, Param<f32, L, C> learned) {
  return learned + x;  // error: operator+: the parameter [L,C] stands on the sequence L; learned positions are embed_positions<L>(x, table) with a table on a plain axis of positions  [N0036]
}
