// SPDX-License-Identifier: Apache-2.0
// Attention alone over each kind of sequence, for probes.py: its input is plain numbers, so that a probe can put anything,
// NaN included, where a position must not read.
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct Tr : Causal<"Tr", Ragged> {};
struct Tl : Causal<"Tl", LeftPadded> {};
struct Tp : Causal<"Tp", Packed> {};
struct P : Positions<"P"> {};
struct Pr : Positions<"Pr", Ragged> {};
struct C : Axis<"C", 32> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct D : Axis<"D", 8> {};
inline constexpr Rope rotary{.base = 10000, .pairing = Rope::halves};

struct Probes {
  BOOST_HANA_DEFINE_STRUCT(Probes,
    (Param<f32, C, H, D>, wq), (Param<f32, C, K, D>, wk), (Param<f32, C, K, D>, wv), (Param<f32, H, D, C>, wo));

  template <class A>
  auto attend(Tensor<f32, B, A, C> x, auto hide) const {
    auto q = rope<A, D, rotary>(split<H>(dot<C>(x, wq)));
    auto k = rope<A, D, rotary>(dot<C>(x, wk));
    return mix<A>(x, hide(scores<D>(q, read<A>(k))));
  }
  template <class A>
  auto mix(Tensor<f32, B, A, C> x, auto s) const {
    return dot<H, D>(merge<H>(dot<Read<A>>(softmax<Read<A>>(s), read<A>(dot<C>(x, wv)))), wo);
  }

  auto causal(Tensor<f32, B, T, C> x) const {
    return attend<T>(x, [](auto s) { return causal_mask(s); });
  }
  auto windowed(Tensor<f32, B, T, C> x) const {
    return attend<T>(x, [](auto s) { return causal_mask(mask(s, window<T>(5))); });
  }
  auto prefixed(Tensor<f32, B, P, C> x) const {
    return attend<P>(x, [](auto s) { return mask(s, prefix<P>(6)); });
  }
  auto ragged(Tensor<f32, B, Tr, C> x) const {
    return attend<Tr>(x, [](auto s) { return causal_mask(s); });
  }
  auto ragged_positions(Tensor<f32, B, Pr, C> x) const {
    return attend<Pr>(x, [](auto s) { return s; });
  }
  auto left_padded(Tensor<f32, B, Tl, C> x) const {
    return attend<Tl>(x, [](auto s) { return causal_mask(s); });
  }
  auto packed(Tensor<f32, B, Tp, C> x) const {
    return attend<Tp>(x, [](auto s) { return causal_mask(s); });
  }
  auto readable(Tensor<f32, B, T, C> x, Tensor<boolean, B, T, Read<T>> allowed) const {
    return attend<T>(x, [&](auto s) { return causal_mask(mask(s, allowed_where_true(allowed))); });
  }
  auto unrotated(Tensor<f32, B, T, C> x, Tensor<boolean, B, Read<T>> allowed) const {
    auto s = scores<D>(split<H>(dot<C>(x, wq)), read<T>(dot<C>(x, wk)));
    return mix<T>(x, causal_mask(mask(s, allowed_where_true(allowed))));
  }
};

NAX_MODEL(probes, Probes, (causal, (x), (out)), (windowed, (x), (out)), (prefixed, (x), (out)), (ragged, (x), (out)),
          (ragged_positions, (x), (out)), (left_padded, (x), (out)), (packed, (x), (out)),
          (readable, (x, allowed), (out)), (unrotated, (x, allowed), (out)));
