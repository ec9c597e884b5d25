// So has a plain contraction over it.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct C : Axis<"C", 4> {};
struct F : Axis<"F", 6> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> a, Tensor<f32, B, T, F> b, Tensor<f32, B, P, C> c, Tensor<f32, B, P, F> d) const {
    auto y = dot<F>(b, dot<T>(a, b));  // error: dot: [B,C,F] has seen every position of the causal T; joining it to [B,T,F] tells position t what comes after it  [N0025]
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (a, b, c, d), (y)));
