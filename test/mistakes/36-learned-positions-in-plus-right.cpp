// A parameter on a sequence breaks at an offset; a table of positions does not.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T", 6> {};
struct P : Axis<"P", 64> {};
struct C : Axis<"C", 8> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, T, C>, learned), (Param<f32, P, C>, table));
  auto forward(Tensor<f32, B, T, C> x) const {
    auto y = embed_positions<T>(x, table);
    return silu(y);
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
