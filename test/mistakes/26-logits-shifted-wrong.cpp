// Labels are shifted, not what predicts them.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 4> {};
struct V : Axis<"V", 11> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, table));
  auto forward(Tensor<f32, B, T, C> x, Tensor<Ids<V>, B, T> ids) const {
    auto logits = unembed<V>(x, table);
    auto labels = next<T>(logits);  // error: next<T>: logits [B,T,V] are not ids; labels are next<T>(ids)  [N0026]
    return cross_entropy<V>(logits, labels);
  }
};
NAX_MODEL(model, Model, (forward, (x, ids), (losses)));
