// SPDX-License-Identifier: Apache-2.0
// A small causal model with everything that naxc has to hand through: ids, parameters, two run-time sizes, two entries.
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 11> {};
struct P : Axis<"P", 12> {};
struct C : Axis<"C", 8> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, tokens), (Param<f32, P, C>, positions));
  auto forward(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed_positions<T>(embed<V>(ids, tokens), positions);
    auto w = softmax<Read<T>>(causal_mask(scores<C>(x, read<T>(x))));
    return unembed<V>(dot<Read<T>>(w, read<T>(x)), tokens);
  }
  auto loss(Tensor<Ids<V>, B, T> ids) const { return mean<B, T>(cross_entropy<V>(forward(ids), next<T>(ids))); }
};
NAX_MODEL(lm, Model, (forward, (ids), (logits)), (loss, (ids), (loss)));
