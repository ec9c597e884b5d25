// Nor are they mixed by logits one by one.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct X : Axis<"X", 4> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, X, C>, router));
  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, B, T, X, C> experts) const {
    auto gates = unembed<X>(x, router);
    return dot<X>(softmax<X>(gates), experts);
  }
};
NAX_MODEL(model, Model, (forward, (x, experts), (y)));
