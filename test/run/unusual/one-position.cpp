// A sequence of one position is a sequence.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=forward
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B", 3> {};
struct T : Causal<"T", 1> {};
struct P : Positions<"P", 1, Ragged> {};
struct V : Axis<"V", 11> {};
struct H : Axis<"H", 1> {};
struct D : Axis<"D", 2> {};
struct C : Axis<"C", 3> {};
using S = Read<T>;

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, tokens), (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk),
                           (Param<f32, C, H, D>, wv), (Param<f32, H, D, C>, wo));
  auto forward(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed<V>(ids, tokens);
    auto q = rope<T, D>(dot<C>(x, wq)), k = rope<T, D>(dot<C>(x, wk));
    auto w = softmax<S>(causal_mask(mask(scores<D>(q, read<T>(k)), window<T>(1))));
    return unembed<V>(x + dot<H, D>(dot<S>(w, read<T>(dot<C>(x, wv))), wo), tokens);
  }
  auto loss(Tensor<Ids<V>, B, T> ids) const { return mean<B, T>(cross_entropy<V>(forward(ids), next<T>(ids))); }
  auto encode(Tensor<Ids<V>, B, P> ids) const {
    auto x = embed<V>(ids, tokens);
    auto w = softmax<Read<P>>(scores<C>(x, read<P>(x)));
    return std::tuple(mean<P>(dot<Read<P>>(w, read<P>(x))), max<P>(x), last<P>(x));
  }
};
NAX_MODEL(one, Model, (forward, (ids), (logits)), (loss, (ids), (loss)), (encode, (ids), (mean, max, last)));
