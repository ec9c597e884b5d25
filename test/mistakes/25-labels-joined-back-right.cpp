// What stands on Next<T> holds the future, and so does a mean of it.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 4> {};
struct V : Axis<"V", 11> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, table));
  auto forward(Tensor<Ids<V>, B, T> ids) const {
    auto labels = next<T>(ids);
    auto y = embed<V>(ids, table) + mean<V>(table);
    return std::tuple(y, labels);
  }
};
NAX_MODEL(model, Model, (forward, (ids), (y, labels)));
