// The labels index another vocabulary.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 4> {};
struct V : Axis<"V", 11> {};
struct W : Axis<"W", 7> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, table));
  auto forward(Tensor<f32, B, T, C> x, Tensor<Ids<W>, B, T> source, Tensor<Ids<V>, B, T> target) const {
    auto logits = unembed<V>(x, table);
    auto losses = cross_entropy<V>(logits, next<T>(source));  // error: cross_entropy<V>: the labels index W, the logits are over V  [N0028]
    return losses;
  }
};
NAX_MODEL(model, Model, (forward, (x, source, target), (losses)));
