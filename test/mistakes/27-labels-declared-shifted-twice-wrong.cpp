// Labels that come shifted are declared so, once.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 4> {};
struct V : Axis<"V", 11> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, table));
  auto forward(Tensor<f32, B, T, C> x,
               Tensor<Ids<V>, B, Next<Next<T>>> labels) const {  // error: Tensor: Next<Next<T>> is shifted twice; the label of a position is the next one, so shift once: write Next<T>  [N0027]
    auto logits = unembed<V>(x, table);
    auto losses = cross_entropy<V>(logits, labels);
    return mean<B, T>(losses);
  }
};
NAX_MODEL(model, Model, (forward, (x, labels), (loss)));
