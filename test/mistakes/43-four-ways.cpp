// Rule 43 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 32> {};

auto on_a_value(Tensor<f32, B, T, C> x) {
  auto y = silu(x);
  return dropout(0.1, y);  // error: dropout: only a training entry, which takes a Training as an argument, drops out: dropout(training, 0.1, x)  [N0043]
}

auto helper(auto x) {
  return dropout(x);  // error: dropout: only a training entry, which takes a Training as an argument, drops out: dropout(training, 0.1, x)  [N0043]
}
auto in_a_helper(Tensor<f32, T, C> x) { return helper(silu(x)); }

struct Inner {
  auto operator()(Tensor<f32, B, C> x) const {
    return dropout(true, 0.1, x);  // error: dropout: only a training entry, which takes a Training as an argument, drops out: dropout(training, 0.1, x)  [N0043]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, C> x) const { return inner(x); }
};

auto swapped(Tensor<f32, B, T, C> x) {
  return dropout(x, 0.1);  // error: dropout: only a training entry, which takes a Training as an argument, drops out: dropout(training, 0.1, x)  [N0043]
}
