// Rule 2 on a held value, in a helper, in a nested module, with the operands swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct F : Axis<"F", 6> {};
namespace old {
struct T : Causal<"T"> {};
struct C : Axis<"C", 16> {};
struct F : Axis<"F", 6> {};
}

auto on_a_value(Tensor<f32, B, T, C> x, Tensor<f32, old::C> g) {
  auto y = silu(x);
  return y * g;  // error: operator*: C of [B,T,C] and C of [C] are two declarations of one name (sizes 8 and 16); use one, or give them two names  [N0002]
}

auto helper(auto x) {
  return mean<old::F>(x);  // error: mean<F>: [B,T,F] has no axis F: its F is another declaration of the same name; use one, or give them two names  [N0002]
}
auto in_a_helper(Tensor<f32, B, T, F> x) { return helper(relu(x)); }

struct Inner {
  auto operator()(Tensor<f32, B, T, C> x, Tensor<f32, B, old::T, C> y) const {
    return x - y;  // error: operator-: T of [B,T,C] and T of [B,T,C] are two declarations of one name; use one, or give them two names  [N0002]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, C> x, Tensor<f32, B, old::T, C> y) const { return inner(x, y); }
};

auto swapped(Tensor<f32, B, F> x, Tensor<f32, old::F, C> w) {
  return dot<F>(w, x);  // error: dot<F>: [F,C] has no axis F: its F is another declaration of the same name; use one, or give them two names  [N0002]
}
