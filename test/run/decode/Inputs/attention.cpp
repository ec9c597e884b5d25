// SPDX-License-Identifier: Apache-2.0
// Attention alone, of every kind that has a step, over plain numbers, so that a probe can put anything, NaN included, where a
// position must not read. Two layers: what is kept of the second depends on what was read in the first.
#include <nax/nax.h>
#include <array>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct Tr : Causal<"Tr", Ragged> {};
struct Tl : Causal<"Tl", LeftPadded> {};
struct Tp : Causal<"Tp", Packed> {};
struct P : Positions<"P", Ragged> {};
struct M : Axis<"M", 40> {};  // positions that were learned
struct C : Axis<"C", 24> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct D : Axis<"D", 8> {};
inline constexpr Rope rotary{.base = 10000, .pairing = Rope::halves};

struct Layer {
  BOOST_HANA_DEFINE_STRUCT(Layer,
    (Param<f32, C, H, D>, wq), (Param<f32, C, K, D>, wk), (Param<f32, C, K, D>, wv), (Param<f32, H, D, C>, wo));
  template <class A>
  auto attend(Tensor<f32, B, A, C> x, auto hide) const {
    auto q = rope<A, D, rotary>(split<H>(dot<C>(x, wq)));
    auto k = rope<A, D, rotary>(dot<C>(x, wk));
    auto w = softmax<Read<A>>(hide(scores<D>(q, read<A>(k))));
    return dot<H, D>(merge<H>(dot<Read<A>>(w, read<A>(dot<C>(x, wv)))), wo);
  }
  auto cross(Tensor<f32, B, T, C> x, Tensor<f32, B, P, C> y) const {
    auto w = softmax<Read<P>>(scores<D>(split<H>(dot<C>(x, wq)), read<P>(dot<C>(y, wk))));
    return dot<H, D>(merge<H>(dot<Read<P>>(w, read<P>(dot<C>(y, wv)))), wo);
  }
};

struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention, (Layer, first), (Layer, second), (Param<f32, M, C>, places));
  template <class A>
  auto both(Tensor<f32, B, A, C> x, auto hide) const {
    x = x + first.template attend<A>(x, hide);
    return x + second.template attend<A>(x, hide);
  }
  auto causal(Tensor<f32, B, T, C> x) const {
    return both<T>(x, [](auto s) { return causal_mask(s); });
  }
  auto windowed(Tensor<f32, B, T, C> x) const {
    return both<T>(x, [](auto s) { return causal_mask(mask(s, window<T>(5))); });
  }
  auto narrow(Tensor<f32, B, T, C> x) const {
    return both<T>(x, [](auto s) { return causal_mask(mask(s, window<T>(1))); });
  }
  auto sinks(Tensor<f32, B, T, C> x) const {
    return both<T>(x, [](auto s) { return causal_mask(mask(s, window<T>(4) | prefix<T>(2))); });
  }
  auto biased(Tensor<f32, B, T, C> x) const {
    return both<T>(x, [](auto s) { return causal_mask(alibi<K, G>(softcap(s, 5))); });
  }
  auto learned(Tensor<f32, B, T, C> x) const {
    x = embed_positions<T>(x, places);
    auto w = softmax<Read<T>>(causal_mask(scores<C>(x, read<T>(x))));
    return dot<Read<T>>(w, read<T>(x));
  }
  auto ragged(Tensor<f32, B, Tr, C> x) const {
    return both<Tr>(x, [](auto s) { return causal_mask(s); });
  }
  auto left_padded(Tensor<f32, B, Tl, C> x) const {
    return both<Tl>(x, [](auto s) { return causal_mask(s); });
  }
  auto packed(Tensor<f32, B, Tp, C> x) const {
    return both<Tp>(x, [](auto s) { return causal_mask(s); });
  }
  auto packed_windowed(Tensor<f32, B, Tp, C> x) const {
    return both<Tp>(x, [](auto s) { return causal_mask(mask(s, window<Tp>(4))); });
  }
  auto latest(Tensor<f32, B, T, C> x) const { return last<T>(causal(x)); }
  // What it reads of y is computed once.
  auto translating(Tensor<f32, B, T, C> x, Tensor<f32, B, P, C> y) const {
    x = x + first.attend<T>(x, [](auto s) { return causal_mask(s); });
    return x + second.cross(x, y);
  }
};

NAX_MODEL(attention, Attention, (causal, (x), (out)), (windowed, (x), (out)), (narrow, (x), (out)), (sinks, (x), (out)),
          (biased, (x), (out)), (learned, (x), (out)), (ragged, (x), (out)), (left_padded, (x), (out)), (packed, (x), (out)),
          (packed_windowed, (x), (out)), (latest, (x), (out)), (translating, (x, y), (out)));
