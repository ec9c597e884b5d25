// The packing is one after another, not a product of heads.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct F : Axis<"F", 6> {};
struct E : Axis<"E", 4> {};
struct QKV : Concat<"QKV", F, E> {};

struct Model {
  auto forward(Tensor<f32, B, T, QKV> x) const {
    auto result = split<QKV>(x);  // error: split<QKV>: QKV = F + E lays its parts one after another; take one with part<F>  [N0007]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x), (result)));
