// A product over a shared sequence is its diagonal.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, B, T, C> y) const {
    auto result = dot<C>(x, y);  // error: dot<C>: both [B,T,C] and [B,T,C] stand on T, so each position would meet only itself (the diagonal); read one: dot<C>(x, read<T>(y)), or sum<C>(x * y) if that is meant  [N0004]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, y), (result)));
