// Learned queries read rows of different length (Positions), and a causal text reads what they found.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=forward --size T=9 --size P=21
// RUN: naxc check %s --size T=1 --size P=1 --size B=1
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct P : Positions<"P", Ragged> {};
struct L : Positions<"L", 5> {};
struct T : Causal<"T"> {};
struct Vs : Axis<"Vs", 17> {};
struct Vt : Axis<"Vt", 23> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 6> {};
struct C : Axis<"C", 10> {};

template <class To, class From>
struct Cross {
  BOOST_HANA_DEFINE_STRUCT(Cross, (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv),
                           (Param<f32, H, D, C>, wo));
  auto operator()(Tensor<f32, B, To, C> x, Tensor<f32, B, From, C> y) const {
    auto s = scores<D>(dot<C>(x, wq), read<From>(dot<C>(y, wk)));
    return x + dot<H, D>(dot<Read<From>>(softmax<Read<From>>(s), read<From>(dot<C>(y, wv))), wo);
  }
};
struct Self {
  BOOST_HANA_DEFINE_STRUCT(Self, (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv),
                           (Param<f32, H, D, C>, wo));
  auto operator()(Tensor<f32, B, T, C> x) const {
    auto w = softmax<Read<T>>(causal_mask(scores<D>(dot<C>(x, wq), read<T>(dot<C>(x, wk)))));
    return x + dot<H, D>(dot<Read<T>>(w, read<T>(dot<C>(x, wv))), wo);
  }
};
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, Vs, C>, source), (Param<f32, Vt, C>, target), (Param<f32, L, C>, queries),
                           (Cross<L, P>, encoder), (Self, self), (Cross<T, L>, cross), (Cross<T, P>, direct));
  auto forward(Tensor<Ids<Vs>, B, P> from, Tensor<Ids<Vt>, B, T> to) const {
    auto y = embed<Vs>(from, source);
    auto found = encoder(spread<B>(queries), y);
    auto x = direct(cross(self(embed<Vt>(to, target)), found), y);
    return std::tuple(unembed<Vt>(x, target), found);
  }
};
NAX_MODEL(cross, Model, (forward, (from, to), (logits, found)));
