// A table of another vocabulary.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 20> {};
struct U : Axis<"U", 20> {};
struct C : Axis<"C", 8> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, tokens), (Param<f32, U, C>, segments));
  auto forward(Tensor<Ids<V>, B, T> ids, Tensor<Ids<U>, B, T> segment) const {
    auto x = embed<V>(ids, tokens);
    return x + embed<U>(segment, segments);
  }
};
NAX_MODEL(model, Model, (forward, (ids, segment), (x)));
