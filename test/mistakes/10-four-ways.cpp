// Rule 10 on a held value, in a helper, in a nested module, with the axes swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct F : Axis<"F", 6> {};

auto on_a_value(Tensor<f32, B, T, C> x) {
  auto y = silu(x);
  return softmax<-1>(y);  // error: softmax: an integer or a character is not an axis, which is a struct: softmax<S>(x), where struct C : Axis<"C", 64> {}, struct T : Causal<"T"> {}, using S = Read<T>  [N0010]
}

auto helper(auto x) {
  return mean<int>(x);  // error: mean: int is not an axis; an axis is a struct deriving from Axis, Positions, Causal or Product  [N0010]
}
auto in_a_helper(Tensor<f32, B, T, C> x) { return helper(relu(x)); }

struct Inner {
  auto operator()(Tensor<f32, B, T, C> x, Tensor<f32, C, F> w) const {
    return dot(x, w);  // error: dot([B,T,C], [C,F]): say the axis to sum over: dot<C>(x, y)  [N0010]
  }
};
struct Outer {
  Inner inner;
  auto operator()(Tensor<f32, B, T, C> x, Tensor<f32, C, F> w) const { return inner(x, w); }
};

auto swapped(Tensor<f32, B, T, C> x) {
  return sum<0, C>(x);  // error: sum: an integer or a character is not an axis, which is a struct: sum<C>(x), where struct C : Axis<"C", 64> {}, struct T : Causal<"T"> {}, using S = Read<T>  [N0010]
}
