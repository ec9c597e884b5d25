// A product of one axis with itself could not be told apart after the split.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct D : Axis<"D", 4> {};
struct E : Axis<"E", 4> {};
struct Pairs : Product<"Pairs", D, D> {};  // error: Product: it is made of D twice; declare a second axis  [N0011]

struct Model {
  auto forward(Tensor<f32, B, T, Pairs> x) const { return split<Pairs>(x); }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
