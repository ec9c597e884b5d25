// Indices as results: the best, the best few, of logits, of weights, of plain numbers, at the last position; and looked up again.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=choose --size T=6
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 33> {};
struct C : Axis<"C", 7> {};
struct Five : Axis<"Five", 5> {};
struct All : Axis<"All", 7> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, tokens));
  auto choose(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed<V>(ids, tokens);
    auto z = unembed<V>(x, tokens);
    auto best = top_k<V, Five>(last<T>(z));
    return std::tuple(argmax<V>(z), best, argmax<V>(softmax<V>(last<T>(z))), top_k<C, All>(x), argmax<C>(x),
                      embed<V>(best, tokens), softmax<V>(last<T>(z)).values());
  }
};
NAX_MODEL(choices, Model, (choose, (ids), (each, best, likely, order, feature, again, chances)));
