// One model, an entry that drops out and one that does not; embeddings, what attention mixes, and the weights of experts.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=forward --size T=9
#include <array>
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 21> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 5> {};
struct C : Axis<"C", 10> {};
struct X : Axis<"X", 3> {};
using S = Read<T>;

struct Keep {
  auto operator()(double, auto x) const { return x; }
};
struct Drop {
  Training training;
  auto operator()(double p, auto x) const { return dropout(training, p, x); }
};
struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv),
                           (Param<f32, H, D, C>, wo), (Param<f32, C, X>, gate), (Param<f32, X, C>, experts));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x, auto drop) const {
    auto w = softmax<S>(causal_mask(scores<D>(dot<C>(x, wq), read<T>(dot<C>(x, wk)))));
    auto y = drop(0.1, dot<S>(w, read<T>(dot<C>(x, wv))));
    return x + dot<H, D>(y, wo) + dot<X>(drop(0.3, softmax<X>(dot<C>(x, gate))), experts);
  }
};
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, tokens), (std::array<Block, 2>, layers));
  auto run(Tensor<Ids<V>, B, T> ids, auto drop) const {
    return unembed<V>(repeat(layers, drop(0.5, embed<V>(ids, tokens)), drop), tokens);
  }
  auto forward(Tensor<Ids<V>, B, T> ids) const { return run(ids, Keep{}); }
  auto train(Tensor<Ids<V>, B, T> ids, Training training) const {
    return mean<B, T>(cross_entropy<V>(run(ids, Drop{training}), next<T>(ids)));
  }
};
NAX_MODEL(dropping, Model, (forward, (ids), (logits)), (train, (ids, training), (loss)));
