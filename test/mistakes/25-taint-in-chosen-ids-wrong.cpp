// What was chosen by it has seen it too, and so has what is looked up.
// RUN: %python %S/check.py wrong %s
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
    auto y = x + embed<V>(chosen, table);  // error: operator+: [B,C] has seen every position of the causal T; joining it to [B,T,C] tells position t what comes after it  [N0025]
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
