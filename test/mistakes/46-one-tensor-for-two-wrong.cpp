// A tensor of the file is one parameter.
// RUN: %python %S/check.py wrong %s
#include <array>
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 4> {};
struct F : Axis<"F", 8> {};

struct Layer {
  BOOST_HANA_DEFINE_STRUCT(Layer, (Param<f32, C, F>, up), (Param<f32, F, C>, down));
  auto operator()(Tensor<f32, B, C> x) const { return x + dot<F>(silu(dot<C>(x, up)), down); }
};
struct Model {
  using Layers = std::array<Layer, 2>;
  BOOST_HANA_DEFINE_STRUCT(Model, (Layers, layers));
  auto forward(Tensor<f32, B, C> x) const { return repeat(layers, x); }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
NAX_NAMES(file,
          {"layers.*.up", "h.*.up.weight", "F C"},
          {"layers.*.down", "h.*.up.weight", "C F"});  // naxc error: names table file: layers.0.up and layers.0.down are both "h.0.up.weight" of the file; where they are meant to be one, use one Param twice  [N0046]
