// The product is of H and D, the tensor has G and D.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct C : Product<"C", H, D> {};
struct G : Axis<"G", 2> {};

struct Model {
  auto forward(Tensor<f32, B, T, G, D> x, Tensor<f32, B, T, H, D> y) const {
    auto result = merge<C>(x);  // error: merge<C>: C = H x D, but [B,T,G,D] has no H  [N0006]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, y), (result)));
