// A row of a packed sequence has no one last position.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T", Packed> {};
struct R : Causal<"R", Ragged> {};
struct C : Axis<"C", 4> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, B, R, C> z) const {
    auto y = last<T>(x);  // error: last<T>: a row of the packed T holds several documents, each with its own last position; declare T as Ragged, one document a row  [N0029]
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x, z), (y)));
