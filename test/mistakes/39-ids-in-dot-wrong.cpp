// Nor are they features.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct V : Axis<"V", 20> {};
struct E : Axis<"E", 4> {};
struct F : Axis<"F", 6> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V>, table), (Param<f32, E, F>, w));
  auto forward(Tensor<Ids<V>, B, E> ids) const {
    auto y = dot<E>(ids, w);  // error: dot: ids [B,E] are indices into V, not numbers; look them up: embed<V>(ids, table)  [N0039]
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (ids), (y)));
