// The packing is one after another, not a product of heads.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct F : Axis<"F", 6> {};
struct E : Axis<"E", 4> {};
struct QKV : Concat<"QKV", F, E> {};

struct Model {
  auto forward(Tensor<f32, B, T, QKV> x) const {
    auto result = part<E>(x);
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x), (result)));
