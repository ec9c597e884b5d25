// Nor are they features.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct V : Axis<"V", 20> {};
struct E : Axis<"E", 4> {};
struct F : Axis<"F", 6> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V>, table), (Param<f32, E, F>, w));
  auto forward(Tensor<Ids<V>, B, E> ids) const {
    auto y = dot<E>(embed<V>(ids, table), w);
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (ids), (y)));
