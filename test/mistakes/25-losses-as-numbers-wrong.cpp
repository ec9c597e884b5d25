// The loss at t knows the label of t, which comes after it.
// RUN: %python %S/check.py wrong %s
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
    auto y = losses.values();  // naxc error: the result: position t of [B,T] depends on the label of t, which is position t + 1 of T; losses may be given as they are, without .values()  [N0025]
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x, ids), (y)));
