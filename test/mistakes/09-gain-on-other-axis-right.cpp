// The gain has one number for each head, not for each feature that is normalised.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> x, Tensor<f32, H> g, Tensor<f32, D> h) const {
    auto result = rms_norm<D>(x, h, Eps{1e-5});
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, g, h), (result)));
