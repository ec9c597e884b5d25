// The loss at t knows the label of t, which comes after it.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 4> {};
struct V : Axis<"V", 11> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, table));
  auto forward(Tensor<f32, B, T, C> x, Tensor<Ids<V>, B, T> ids) const {
    auto losses = cross_entropy<V>(unembed<V>(x, table), next<T>(ids));
    auto y = losses;
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x, ids), (y)));
