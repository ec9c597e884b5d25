// What was chosen by it has seen it too, and so has what is looked up.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 4> {};
struct V : Axis<"V", 11> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, table));
  auto forward(Tensor<f32, B, T, C> x) const {
    auto chosen = argmax<V>(unembed<V>(last<T>(x), table));
    auto y = embed<V>(chosen, table);
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
