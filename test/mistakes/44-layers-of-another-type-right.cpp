// Layers take x in their own type of number.
// RUN: %python %S/check.py right %s
#include <array>
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};

struct Layer {
  Tensor<bf16, B, C> operator()(Tensor<bf16, B, C> x) const { return x + silu(x); }
};
struct Model {
  auto forward(Tensor<f32, B, C> x) const {
    std::array<Layer, 2> layers;
    return repeat(layers, to<bf16>(x));
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
