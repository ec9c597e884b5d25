// Model families disagree on the eps.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C>, gain));
  auto forward(Tensor<f32, B, T, C> x) const {
    auto y = rms_norm<C>(x, gain);  // error: rms_norm: model families disagree on the eps, so say it: rms_norm<C>(x, gain, Eps{1e-5})  [N0047]
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
