// Prompts of different length that end together: positions count from each row's start, by table and by rope.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=learned --entry learned --size T=15
// RUN: naxc check %s --entry rotated --size T=15
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T", LeftPadded> {};
struct V : Axis<"V", 31> {};
struct P : Axis<"P", 32> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 10> {};
struct C : Axis<"C", 14> {};
using S = Read<T>;
inline constexpr Rope rotary{.base = 500, .pairing = Rope::interleaved, .scaling = 2, .dims = 6};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, tokens), (Param<f32, P, C>, positions), (Param<f32, C, H, D>, wq),
                           (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv), (Param<f32, H, D, C>, wo));
  auto attend(auto q, auto k, auto x) const {
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
    return x + dot<H, D>(dot<S>(w, read<T>(dot<C>(x, wv))), wo);
  }
  auto learned(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed_positions<T>(embed<V>(ids, tokens), positions);
    return unembed<V>(last<T>(attend(dot<C>(x, wq), dot<C>(x, wk), x)), tokens);
  }
  auto rotated(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed<V>(ids, tokens);
    auto y = attend(rope<T, D, ::rotary>(dot<C>(x, wq)), rope<T, D, ::rotary>(dot<C>(x, wk)), x);
    return std::tuple(first<T>(y), mean<T>(y), mean<B, T>(cross_entropy<V>(unembed<V>(y, tokens), next<T>(ids))));
  }
};
NAX_MODEL(left_padded, Model, (learned, (ids), (logits)), (rotated, (ids), (begin, mean, loss)));
