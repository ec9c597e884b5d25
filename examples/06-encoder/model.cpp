// SPDX-License-Identifier: Apache-2.0
// An encoder in the manner of BERT: every position reads every other, the norm comes after the residual, and the rows of a
// batch have different lengths.
#include <nax/nax.h>
#include <array>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Positions<"T", Ragged> {};  // row b has T_lengths[b] real positions; nothing reads the others
struct V : Axis<"V", 27> {};           // 0 is a missing letter, 1 to 26 are a to z
struct P : Axis<"P", 12> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 12> {};
struct C : Axis<"C", 48> {};
struct F : Axis<"F", 192> {};
using S = Read<T>;

struct Norm {
  BOOST_HANA_DEFINE_STRUCT(Norm, (Param<f32, C>, gain), (Param<f32, C>, shift));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const { return layer_norm<C>(x, gain, shift, Eps{1e-12}); }
};

struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention,
    (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv), (Param<f32, H, D, C>, wo));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    auto q = dot<C>(x, wq);
    auto k = dot<C>(x, wk);
    auto v = dot<C>(x, wv);
    auto w = softmax<S>(scores<D>(q, read<T>(k)));  // no mask to forget: T is ragged, so its lengths hide the padding
    return dot<H, D>(dot<S>(w, read<T>(v)), wo);
  }
};

struct Mlp {
  BOOST_HANA_DEFINE_STRUCT(Mlp,
    (Param<f32, C, F>, up), (Param<f32, F>, up_bias), (Param<f32, F, C>, down), (Param<f32, C>, down_bias));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    return dot<F>(gelu(dot<C>(x, up) + up_bias), down) + down_bias;
  }
};

struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Attention, attention), (Norm, norm1), (Mlp, mlp), (Norm, norm2));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    x = norm1(x + attention(x));
    return norm2(x + mlp(x));
  }
};

struct Encoder {
  BOOST_HANA_DEFINE_STRUCT(Encoder,
    (Param<f32, V, C>, tokens), (Param<f32, P, C>, positions), (Norm, embed_norm), (std::array<Block, 2>, blocks));

  Tensor<f32, B, T, C> hidden(Tensor<Ids<V>, B, T> ids) const {
    return repeat(blocks, embed_norm(embed_positions<T>(embed<V>(ids, tokens), positions)));
  }
  // The likeliest letter at each position.
  auto fill(Tensor<Ids<V>, B, T> ids) const { return argmax<V>(unembed<V>(hidden(ids), tokens)); }
  // One vector a row: the mean of its real positions.
  auto pool(Tensor<Ids<V>, B, T> ids) const { return mean<T>(hidden(ids)); }
};

NAX_MODEL(encoder, Encoder, (fill, (ids), (letters)), (pool, (ids), (vector)));
