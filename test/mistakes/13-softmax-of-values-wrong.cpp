// As plain numbers they sum to 1 all the same.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 6> {};
struct X : Axis<"X", 3> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, X>, gate));
  auto forward(Tensor<f32, B, C> x) const {
    auto w = softmax<X>(dot<C>(x, gate));
    auto p = softmax<X>(w.values() * 2);  // naxc error: softmax<X>: [B,X] comes from weights over X, by .values(); drop the second softmax  [N0013]
    return std::tuple(p.values(), w.values());
  }
};
NAX_MODEL(model, Model, (forward, (x), (p, w)));
