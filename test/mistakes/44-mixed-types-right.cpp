// Types are converted where the user says so.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 8> {};
struct F : Axis<"F", 6> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<bf16, C, F>, up));
  auto forward(Tensor<f32, B, T, C> x) const {
    auto y = dot<C>(x, to<f32>(up));
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
