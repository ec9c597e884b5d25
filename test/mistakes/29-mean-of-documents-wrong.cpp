// Nor one mean.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T", Packed> {};
struct C : Axis<"C", 4> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x) const {
    auto y = mean<T>(x);  // naxc error: mean<T>: a row of the packed T holds several documents, and [B,C] mixes them; declare T as Ragged, one document a row, or take in the rows too  [N0029]
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
