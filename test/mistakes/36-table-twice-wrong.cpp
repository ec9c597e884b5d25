// The positions are added once.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Axis<"P", 64> {};
struct V : Axis<"V", 50> {};
struct C : Axis<"C", 8> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, tokens), (Param<f32, P, C>, places));
  auto forward(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed_positions<T>(embed<V>(ids, tokens), places);
    x = relu(x);
    x = embed_positions<T>(x, places);  // naxc error: embed_positions<T>: embed_positions<T> added the positions already; add one table, once  [N0036]
    return x;
  }
};
NAX_MODEL(model, Model, (forward, (ids), (y)));
