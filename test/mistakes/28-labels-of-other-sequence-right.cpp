// The labels stand on another sequence.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct C : Axis<"C", 4> {};
struct V : Axis<"V", 11> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, table));
  auto forward(Tensor<f32, B, T, C> x, Tensor<Ids<V>, B, P> source, Tensor<Ids<V>, B, T> target) const {
    auto logits = unembed<V>(x, table);
    auto losses = cross_entropy<V>(logits, next<T>(target));
    return losses;
  }
};
NAX_MODEL(model, Model, (forward, (x, source, target), (losses)));
