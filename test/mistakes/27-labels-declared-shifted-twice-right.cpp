// Labels that come shifted are declared so, once.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 4> {};
struct V : Axis<"V", 11> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, table));
  auto forward(Tensor<f32, B, T, C> x,
               Tensor<Ids<V>, B, Next<T>> labels) const {
    auto logits = unembed<V>(x, table);
    auto losses = cross_entropy<V>(logits, labels);
    return mean<B, T>(losses);
  }
};
NAX_MODEL(model, Model, (forward, (x, labels), (loss)));
