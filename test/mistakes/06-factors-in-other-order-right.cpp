// The heads are merged as H x D, and the weight is stored as D x H.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct C : Product<"C", H, D> {};
struct N : Product<"N", D, H> {};
struct F : Axis<"F", 6> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> x, Tensor<f32, N, F> w) const {
    auto result = dot<N>(merge<N>(x), w);
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, w), (result)));
