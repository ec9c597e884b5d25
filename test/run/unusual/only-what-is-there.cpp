// Softmax and dot along the positions of a sequence leave out those that a row has not, as sum does.
// REQUIRES: lowering, cpu-v3, numpy
// RUN: rm -rf %t && naxc check %s --size B=5 --size P=7 --size L=7 --size T=7 --save %t
// RUN: %python %S/Inputs/only-what-is-there.py %t
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct P : Positions<"P", Ragged> {};
struct L : Positions<"L", LeftPadded> {};
struct T : Causal<"T", Ragged> {};
struct C : Axis<"C", 3> {};

struct Model {
  auto ragged(Tensor<f32, B, P> x, Tensor<f32, B, P, C> y) const {
    return std::tuple(softmax<P>(x).values(), dot<P>(softmax<P>(x), y), dot<P>(x, y), dot<P, C>(y, y));
  }
  auto left(Tensor<f32, B, L> x, Tensor<f16, B, L, C> y) const { return std::tuple(softmax<L>(x).values(), dot<L>(y, y)); }
  auto causal(Tensor<f32, B, T> x, Tensor<f32, B, T, C> y) const { return dot<T>(x, y); }
};
NAX_MODEL(there, Model, (ragged, (x, y), (w, mixed, product, square)), (left, (x, y), (w, square)), (causal, (x, y), (product)));
