// A causal sequence that reads an encoder's rows of different length, and itself.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=forward --entry forward --size T=11 --size E=7
// RUN: naxc check %s --entry loss --size T=5 --size E=40
#include <array>
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct E : Positions<"E", Ragged> {};
struct T : Causal<"T"> {};
struct Vs : Axis<"Vs", 50> {};
struct Vt : Axis<"Vt", 60> {};
struct H : Axis<"H", 3> {};
struct D : Axis<"D", 8> {};
struct C : Axis<"C", 24> {};
struct F : Axis<"F", 40> {};

template <class Q, class K>
struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention, (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv),
                           (Param<f32, H, D, C>, wo));
  auto operator()(Tensor<f32, B, Q, C> x, Tensor<f32, B, K, C> y, auto hide) const {
    auto w = softmax<Read<K>>(hide(scores<D>(dot<C>(x, wq), read<K>(dot<C>(y, wk)))));
    return dot<H, D>(dot<Read<K>>(w, read<K>(dot<C>(y, wv))), wo);
  }
};
template <class A>
struct Mlp {
  BOOST_HANA_DEFINE_STRUCT(Mlp, (Param<f32, C, F>, up), (Param<f32, F, C>, down));
  auto operator()(Tensor<f32, B, A, C> x) const { return dot<F>(relu(dot<C>(x, up)), down); }
};
struct EncoderBlock {
  BOOST_HANA_DEFINE_STRUCT(EncoderBlock, (Attention<E, E>, attention), (Mlp<E>, mlp));
  Tensor<f32, B, E, C> operator()(Tensor<f32, B, E, C> x) const {
    x = x + attention(x, x, [](auto s) { return s; });
    return x + mlp(x);
  }
};
struct DecoderBlock {
  BOOST_HANA_DEFINE_STRUCT(DecoderBlock, (Attention<T, T>, self), (Attention<T, E>, cross), (Mlp<T>, mlp));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> y, Tensor<f32, B, E, C> x) const {
    y = y + self(y, y, [](auto s) { return causal_mask(s); });
    y = y + cross(y, x, [](auto s) { return s; });
    return y + mlp(y);
  }
};
struct Translate {
  BOOST_HANA_DEFINE_STRUCT(Translate, (Param<f32, Vs, C>, source), (Param<f32, Vt, C>, target),
                           (std::array<EncoderBlock, 2>, encoder), (std::array<DecoderBlock, 2>, decoder));
  auto forward(Tensor<Ids<Vs>, B, E> from, Tensor<Ids<Vt>, B, T> to) const {
    auto x = repeat(encoder, embed<Vs>(from, source));
    return unembed<Vt>(repeat(decoder, embed<Vt>(to, target), x), target);
  }
  auto loss(Tensor<Ids<Vs>, B, E> from, Tensor<Ids<Vt>, B, T> to) const {
    return mean<B, T>(cross_entropy<Vt>(forward(from, to), next<T>(to)));
  }
};
NAX_MODEL(translate, Translate, (forward, (source, target), (logits)), (loss, (source, target), (loss)));
