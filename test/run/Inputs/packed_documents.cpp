// SPDX-License-Identifier: Apache-2.0
// Whatever counts positions or reads others: a table of positions that restarts, rope, a window, ALiBi, and both kinds of loss.
#include <array>
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T", Packed> {};
struct V : Axis<"V", 50> {};
struct M : Axis<"M", 300> {};
struct C : Axis<"C", 24> {};
struct H : Axis<"H", 3> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;
inline constexpr Rope rotary{.after_table = true};

struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention, (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv),
                           (Param<f32, H, D, C>, wo));
  auto rotated(Tensor<f32, B, T, C> x) const {
    auto s = scores<D>(rope<T, D, rotary>(dot<C>(x, wq)), read<T>(rope<T, D, rotary>(dot<C>(x, wk))));
    return mixed(softmax<S>(causal_mask(s)), x);
  }
  auto near(Tensor<f32, B, T, C> x) const {
    auto s = alibi<H>(scores<D>(dot<C>(x, wq), read<T>(dot<C>(x, wk))));
    return mixed(softmax<S>(causal_mask(mask(s, window<T>(9)))), x);
  }
  Tensor<f32, B, T, C> mixed(auto w, Tensor<f32, B, T, C> x) const {
    return dot<H, D>(dot<S>(w, read<T>(dot<C>(x, wv))), wo);
  }
};
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, tokens), (Param<f32, M, C>, places), (Attention, one), (Attention, two));
  auto logits(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed_positions<T>(embed<V>(ids, tokens), places);
    x = x + one.rotated(x);
    return unembed<V>(x + two.near(x), tokens);
  }
  // Labels from the ids themselves, and labels that the caller has shifted.
  auto loss(Tensor<Ids<V>, B, T> ids) const {
    auto each = cross_entropy<V>(logits(ids), next<T>(ids));
    return std::tuple(each, mean<B, T>(each));
  }
  auto scored(Tensor<Ids<V>, B, T> ids, Tensor<Ids<V>, B, Next<T>> labels) const {
    auto each = cross_entropy<V>(logits(ids), labels);
    return std::tuple(each, mean<B, T>(each));
  }
};
NAX_MODEL(packed, Model, (logits, (ids), (logits)), (loss, (ids), (each, mean)), (scored, (ids, labels), (each, mean)));
