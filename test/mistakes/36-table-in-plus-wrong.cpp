// A table of positions is not added as it is.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Axis<"P", 64> {};
struct C : Axis<"C", 8> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, P, C>, places));
  auto forward(Tensor<f32, B, T, C> x) const {
    auto y = x + places;  // error: operator+: the parameter [P,C] has P, which [B,T,C] has not; a table is looked up: embed<P>(ids, table); positions are embed_positions<T>(x, table)  [N0036]
    return y;
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
