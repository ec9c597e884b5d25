// The heads are merged as H x D, and the weight is stored as D x H.
// RUN: %python %S/check.py wrong %s
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
    auto result = dot<N>(merge<C>(x), w);  // error: dot<N>: [B,T,C] has no axis N; its C = H x D has the same parts in another order: write merge<N>(split<C>(x)), or use one of the two  [N0006]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, w), (result)));
