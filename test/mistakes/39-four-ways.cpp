// Rule 39 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 20> {};
struct C : Axis<"C", 32> {};

auto on_a_value(Tensor<Ids<V>, B, T> ids) {
  auto held = next<T>(ids);
  return held + 1;  // error: operator+: ids [B,Next<T>] are indices into V, not numbers; look them up: embed<V>(ids, table)  [N0039]
}

auto helper(auto x) {
  return to<f32>(x);  // error: to: ids [B] are indices into V, not numbers; look them up: embed<V>(ids, table)  [N0039]
}
auto in_a_helper(Tensor<Ids<V>, B, T> ids) { return helper(last<T>(ids)); }

struct Inner {
  auto operator()(Tensor<Ids<V>, B, T> ids, Tensor<f32, B, T, C> x) const {
    return ids * x;  // error: operator*: ids [B,T] are indices into V, not numbers; look them up: embed<V>(ids, table)  [N0039]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<Ids<V>, B, T> ids, Tensor<f32, B, T, C> x) const { return inner(ids, x); }
};

auto swapped(Tensor<Ids<V>, T> ids, Tensor<f32, T, C> x) {
  return x * ids;  // error: operator*: ids [T] are indices into V, not numbers; look them up: embed<V>(ids, table)  [N0039]
}
