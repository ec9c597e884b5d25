// Layers that drop out are handed the Training.
// RUN: %python %S/check.py right %s
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
    return repeat(layers, x, training);
  }
};
NAX_MODEL(model, Model, (forward, (x, training), (y)));
