// The gain has one number for each head, not for each feature that is normalised.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};

struct Model {
  auto forward(Tensor<f32, B, T, H, D> x, Tensor<f32, H> g, Tensor<f32, D> h) const {
    auto result = rms_norm<D>(x, g, Eps{1e-5});  // error: rms_norm<D>: the gain or shift [H] must stand on the normalised axes of [B,T,H,D]  [N0009]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (x, g, h), (result)));
