// Rows that end together, with every way in which a position may matter: a window, a table, ALiBi, both pairings of rope.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --entry causal --size T=13
// RUN: naxc check %s --entry encoder --size P=13
// RUN: naxc check %s --entry causal --size T=1 --size B=1
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T", LeftPadded> {};
struct P : Positions<"P", LeftPadded> {};
struct M : Axis<"M", 40> {};
struct V : Axis<"V", 19> {};
struct H : Axis<"H", 3> {};
struct D : Axis<"D", 6> {};
inline constexpr Rope halves{.base = 100, .pairing = Rope::halves, .scaling = 4, .after_table = true};
inline constexpr Rope partial{.base = 100, .pairing = Rope::interleaved, .dims = 2, .after_table = true};

template <class A, Rope R>
auto attend(auto x, auto hide) {
  auto q = rope<A, D, R>(x);
  return dot<Read<A>>(softmax<Read<A>>(hide(scores<D>(q, read<A>(q)))), read<A>(x));
}
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, H, D>, tokens), (Param<f32, M, H, D>, places));
  auto causal(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed_positions<T>(embed<V>(ids, tokens), places);
    auto y = attend<T, halves>(x, [](auto s) { return causal_mask(mask(s, window<T>(5))); });
    return std::tuple(attend<T, partial>(y, [](auto s) { return causal_mask(alibi<H>(s)); }), last<T>(y), max<T>(y),
                      mean<B, T>(cross_entropy<V>(unembed<V>(y, tokens), next<T>(ids))));
  }
  auto encoder(Tensor<Ids<V>, B, P> ids) const {
    auto x = embed<V>(ids, tokens);
    auto y = attend<P, halves>(x, [](auto s) { return alibi<H>(s); });
    return std::tuple(mean<P>(y), sum<P>(y), first<P>(y), last<P>(y));
  }
};
NAX_MODEL(left, Model, (causal, (ids), (y, last, max, loss)), (encoder, (ids), (mean, sum, first, last)));
