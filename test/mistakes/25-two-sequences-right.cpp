// A type remembers one sequence that was seen whole; naxc follows all.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct U : Causal<"U"> {};
struct C : Axis<"C", 4> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, B, U, C> z) const {
    auto both = mean<T>(x) * mean<U>(z);
    auto y = both;
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x, z), (y)));
