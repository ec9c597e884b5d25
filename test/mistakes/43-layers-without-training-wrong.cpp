// Layers that drop out are handed the Training.
// RUN: %python %S/check.py wrong %s
#include <array>
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};

struct Layer {
  Tensor<f32, B, C> operator()(Tensor<f32, B, C> x, Training training) const {
    return x + dropout(training, 0.1, silu(x));
  }
};
struct Model {
  auto forward(Tensor<f32, B, C> x, Training training) const {
    std::array<Layer, 2> layers;
    return repeat(layers, x);  // error: repeat: a layer takes 1 more than x and is given 0: what all layers take stands behind x: repeat(layers, x, training)  [N0043]
  }
};
NAX_MODEL(model, Model, (forward, (x, training), (y)));
