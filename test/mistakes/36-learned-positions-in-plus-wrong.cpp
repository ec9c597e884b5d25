// A parameter on a sequence breaks at an offset; a table of positions does not.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T", 6> {};
struct P : Axis<"P", 64> {};
struct C : Axis<"C", 8> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, T, C>, learned), (Param<f32, P, C>, table));
  auto forward(Tensor<f32, B, T, C> x) const {
    auto y = x + learned;  // error: operator+: the parameter [T,C] stands on the sequence T; learned positions are embed_positions<T>(x, table) with a table on a plain axis of positions  [N0036]
    return silu(y);
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
