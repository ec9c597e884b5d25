// Rule 40 on a held value, in a helper, in a nested module, handed to a function.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 20> {};
struct U : Axis<"U", 20> {};
struct C : Axis<"C", 32> {};

auto on_a_value(Tensor<Ids<V>, B, T> ids, Tensor<f32, U, C> table) {
  auto held = last<T>(ids);
  return embed<U>(held, table);  // error: embed<U>: ids [B] index V, not U; write embed<V>(ids, table of V)  [N0040]
}

auto helper(auto ids, auto table) {
  return embed<V>(ids, table);  // error: embed<V>: ids [B,Next<T>] index V, and the table [U,C] has no axis V; write embed<V>(ids, table of V)  [N0040]
}
auto in_a_helper(Tensor<Ids<V>, B, T> ids, Tensor<f32, U, C> table) { return helper(next<T>(ids), table); }

struct Inner {
  auto operator()(Tensor<f32, B, T, U> x, Tensor<f32, V, C> table) const {
    return embed<V>(argmax<U>(x), table);  // error: embed<V>: ids [B,T] index U, not V; write embed<U>(ids, table of U)  [N0040]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, U> x, Tensor<f32, V, C> table) const { return inner(x, table); }
};

auto takes(Tensor<Ids<U>, B, T> ids) { return ids; }
auto swapped(Tensor<Ids<V>, B, T> ids) {
  return takes(ids);  // error: passing ids [B,T] that index V where ids [B,T] that index U are meant  [N0040]
}
