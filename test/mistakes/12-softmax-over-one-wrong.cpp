// Every weight over an axis of size 1 is 1.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 6> {};
struct X : Axis<"X", 3> {};
struct I : Axis<"I", 1> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, I>, one), (Param<f32, C, X>, three));
  auto forward(Tensor<f32, B, C> x) const {
    auto w = softmax<I>(dot<C>(x, one));  // error: softmax<I>: I of [B,I] has size 1, so every weight is 1  [N0012]
    return w.values();
  }
};
NAX_MODEL(model, Model, (forward, (x), (w)));
