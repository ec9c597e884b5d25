// A parameter has one row of a table.
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
          {"layers.*.up", "h.*.down.weight", "F C"});  // naxc error: names table file: two rows are about layers.0.up; drop one  [N0046]
