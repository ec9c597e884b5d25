// Rule 41 on an argument, in a helper, in a nested module, in what is chosen.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct V : Axis<"V", 20> {};
struct Many : Axis<"Many", 3000000000> {};
struct More : Axis<"More", 4000000000> {};

auto on_a_value(Tensor<Ids<Many>, B> ids) {  // error: Tensor: ids [B] of i32 are too narrow for Many (3000000000); write Ids<Many, i64>  [N0041]
  return ids;
}

auto helper(auto x) {
  return argmax<Many>(x);  // error: argmax<Many>: Many (3000000000) is more than its indices, which are i32, can count  [N0041]
}
auto in_a_helper(Tensor<f32, B, Many> x) { return helper(silu(x)); }

struct Inner {
  auto operator()(Tensor<Ids<V, i16>, B> ids) const {  // error: Tensor: ids [B] of i16 are no indices; ids are i32, the default, or i64: Ids<V, i64>  [N0041]
    return ids;
  }
};
struct Outer {
  Inner inner;
  auto operator()(auto ids) const { return inner(ids); }
};

auto swapped(Tensor<Ids<More, i32>, B> ids) {  // error: Tensor: ids [B] of i32 are too narrow for More (4000000000); write Ids<More, i64>  [N0041]
  return ids;
}
