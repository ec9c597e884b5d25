// A factor of a product is there only after the split.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct C : Product<"C", H, D> {};

struct Model {
  auto forward(Tensor<f32, B, T, C> x) const {
    auto result = sum<D>(split<C>(x));
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x), (result)));
