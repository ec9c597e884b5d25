// A type remembers one sequence that was seen whole; naxc follows all.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct U : Causal<"U"> {};
struct C : Axis<"C", 4> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, B, U, C> z) const {
    auto both = mean<T>(x) * mean<U>(z);
    auto y = z + both;  // naxc error: operator+: [B,C] has seen every position of the causal U; joining it to [B,U,C] tells position t what comes after it  [N0025]
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x, z), (y)));
