// H x N is 14, which is not the 8 of the width.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct C : Axis<"C", 8> {};
struct N : Axis<"N", 7> {};
struct Q : Product<"Q", H, N> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, C, Q> w) const {
    auto result = split<Q>(x);  // error: split<Q>: [B,T,C] has no axis Q = H x N (14), but C (8) is of another size; project onto it with a Param<f32, C, Q>  [N0006]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, w), (result)));
