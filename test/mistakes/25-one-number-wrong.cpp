// One number may be handed on without a word; naxc knows what it has seen.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct C : Axis<"C", 4> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, B, P, C> z) const {
    Tensor<f32> level = max<B, T, C>(x);
    auto y = x / level;  // naxc error: operator/: [] has seen every position of the causal T; joining it to [B,T,C] tells position t what comes after it  [N0025]
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x, z), (y)));
