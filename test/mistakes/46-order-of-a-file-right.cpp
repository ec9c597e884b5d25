// Two axes of one size: the file's order must be said, for its shape is the same either way.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};
struct E : Axis<"E", 8> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, E>, up), (Param<f32, E, C>, down), (Param<f32, C>, bias));
  auto forward(Tensor<f32, B, C> x) const { return dot<E>(dot<C>(x, up), down) + bias; }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
NAX_NAMES(checkpoint,
          {"up", "up.weight", "E C"},
          {"down", "down.weight", "C E"},
          {"bias", "down.bias"});
