// Ids are indices, not numbers.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 20> {};
struct C : Axis<"C", 8> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, table));
  auto forward(Tensor<Ids<V>, B, T> ids) const {
    auto result = ids * 0.5;  // error: operator*: ids [B,T] are indices into V, not numbers; look them up: embed<V>(ids, table)  [N0039]
    return result;
  }
};
NAX_MODEL(model, Model, (forward, (ids), (y)));
