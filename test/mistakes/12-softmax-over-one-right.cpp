// Every weight over an axis of size 1 is 1.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 6> {};
struct X : Axis<"X", 3> {};
struct I : Axis<"I", 1> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, I>, one), (Param<f32, C, X>, three));
  auto forward(Tensor<f32, B, C> x) const {
    auto w = softmax<X>(dot<C>(x, three));
    return w.values();
  }
};
NAX_MODEL(model, Model, (forward, (x), (w)));
