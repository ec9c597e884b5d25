// An integer is no axis beside one either.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x) const {
    auto result = mean<C, 0>(x);  // error: mean: an integer or a character is not an axis, which is a struct: mean<C>(x), where struct C : Axis<"C", 64> {}, struct T : Causal<"T"> {}, using S = Read<T>  [N0010]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x), (result)));
