// Several documents in a row: attention, a window, rope, ALiBi and the loss all stop at their ends.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=logits --size T=31
// RUN: naxc check %s --size T=1
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T", Packed> {};
struct V : Axis<"V", 17> {};
struct M : Axis<"M", 40> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;
inline constexpr Rope rotary{.after_table = true};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, H, D>, tokens), (Param<f32, M, H, D>, places));
  auto hidden(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed_positions<T>(embed<V>(ids, tokens), places);
    auto q = rope<T, D, rotary>(x);
    x = x + dot<S>(softmax<S>(causal_mask(mask(scores<D>(q, read<T>(q)), window<T>(6)))), read<T>(x));
    return x + dot<S>(softmax<S>(causal_mask(alibi<H>(scores<D>(x, read<T>(x))))), read<T>(x));
  }
  auto loss(Tensor<Ids<V>, B, T> ids) const {
    auto each = cross_entropy<V>(unembed<V>(hidden(ids), tokens), next<T>(ids));
    return std::tuple(each, mean<B, T>(each), sum<T>(each), mean<T>(each));
  }
  auto logits(Tensor<Ids<V>, B, T> ids) const { return unembed<V>(hidden(ids), tokens); }
};
NAX_MODEL(packed, Model, (loss, (ids), (each, mean, sum, row)), (logits, (ids), (logits)));
