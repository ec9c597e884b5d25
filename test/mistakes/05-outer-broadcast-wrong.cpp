// Each side has an axis that the other lacks.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct F : Axis<"F", 6> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, B, F> y) const {
    auto result = x + y;  // error: operator+: [B,T,C] has T and [B,F] has F that the other has not; spell the outer product: spread<F>(x) + y  [N0005]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, y), (result)));
