// A head that is the embedding, one of its own in either order of axes, one with a bias, and one over two axes.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=forward --size T=5
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 22> {};
struct W : Axis<"W", 9> {};
struct H : Axis<"H", 3> {};
struct D : Axis<"D", 4> {};
struct C : Product<"C", H, D> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, tokens), (Param<f32, C, V>, head), (Param<f32, V>, bias),
                           (Param<f32, W, H, D>, by_heads), (Param<f32, H, D, W>, by_heads_turned));
  auto forward(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed<V>(ids, tokens);
    auto h = split<C>(x);
    return std::tuple(unembed<V>(x, tokens), unembed<V>(x, head), logits<V>(dot<C>(x, head) + bias), unembed<W>(h, by_heads),
                      unembed<W>(h, by_heads_turned), unembed<V>(merge<C>(h), head));
  }
  auto loss(Tensor<Ids<V>, B, T> ids) const {
    auto [tied, untied, biased, a, b, c] = forward(ids);
    return std::tuple(mean<B, T>(cross_entropy<V>(tied, next<T>(ids))), mean<T>(cross_entropy<V>(biased, next<T>(ids))));
  }
};
NAX_MODEL(heads, Model, (forward, (ids), (tied, untied, biased, by_heads, turned, merged)), (loss, (ids), (mean, row)));
