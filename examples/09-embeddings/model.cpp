// SPDX-License-Identifier: Apache-2.0
// all-MiniLM-L6-v2 (Wang et al. 2020, arXiv 2002.10957; trained for sentences by sentence-transformers, 2021): a BERT of 6
// layers, the mean of its states over a sentence, and that vector made as long as 1.
#include <nax/nax.h>
#include <array>
using namespace nax;

struct B : Axis<"B"> {};               // sentences
struct T : Positions<"T", Ragged> {};  // tokens; sentence b has T_lengths[b], and nothing reads what is behind them
struct V : Axis<"V", 30522> {};        // the vocabulary
struct P : Axis<"P", 512> {};          // positions that the model knows
struct Y : Axis<"Y", 2> {};            // token types: 0, and 1 in the second text of a pair
struct C : Axis<"C", 384> {};          // the width of the model
struct H : Axis<"H", 12> {};           // heads
struct D : Axis<"D", 32> {};           // what a query and a key are compared along
struct F : Axis<"F", 1536> {};         // the width of the feed-forward layer
using S = Read<T>;                     // the same tokens, in the role of being read

struct Norm {
  BOOST_HANA_DEFINE_STRUCT(Norm, (Param<f32, C>, gain), (Param<f32, C>, shift));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const { return layer_norm<C>(x, gain, shift, Eps{1e-12}); }
};

struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention,
    (Param<f32, C, H, D>, wq), (Param<f32, H, D>, bq), (Param<f32, C, H, D>, wk), (Param<f32, H, D>, bk),
    (Param<f32, C, H, D>, wv), (Param<f32, H, D>, bv), (Param<f32, H, D, C>, wo), (Param<f32, C>, bo));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    auto q = dot<C>(x, wq) + bq;                         // [B,T,H,D]
    auto k = dot<C>(x, wk) + bk;
    auto v = dot<C>(x, wv) + bv;
    auto w = softmax<S>(scores<D>(q, read<T>(k)));       // [B,T,H,S]; T is ragged, so each sentence reads only itself
    return dot<H, D>(dot<S>(w, read<T>(v)), wo) + bo;
  }
};

struct FeedForward {
  BOOST_HANA_DEFINE_STRUCT(FeedForward,
    (Param<f32, C, F>, up), (Param<f32, F>, up_bias), (Param<f32, F, C>, down), (Param<f32, C>, down_bias));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    return dot<F>(gelu(dot<C>(x, up) + up_bias), down) + down_bias;
  }
};

struct Block {  // the norm comes after the residual
  BOOST_HANA_DEFINE_STRUCT(Block, (Attention, attention), (Norm, norm1), (FeedForward, mlp), (Norm, norm2));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    x = norm1(x + attention(x));
    return norm2(x + mlp(x));
  }
};

struct MiniLM {
  BOOST_HANA_DEFINE_STRUCT(MiniLM,
    (Param<f32, V, C>, tokens), (Param<f32, P, C>, positions), (Param<f32, Y, C>, token_types), (Norm, norm),
    (std::array<Block, 6>, layers));

  // What the model makes of each token: [B,T,C].
  Tensor<f32, B, T, C> states(Tensor<Ids<V>, B, T> ids, Tensor<Ids<Y>, B, T> types) const {
    auto x = embed<V>(ids, tokens) + embed<Y>(types, token_types);
    return repeat(layers, norm(embed_positions<T>(x, positions)));
  }
  // One vector a sentence, of length 1: [B,C]. The cosine of two is their dot product.
  auto sentences(Tensor<Ids<V>, B, T> ids, Tensor<Ids<Y>, B, T> types) const {
    auto x = mean<T>(states(ids, types));
    auto length = sqrt(sum<C>(x * x));
    return x / (relu(length - 1e-12) + 1e-12);  // the larger of length and 1e-12: a sentence of no tokens gives 0
  }
};

NAX_MODEL(minilm, MiniLM, (sentences, (ids, types), (vectors)), (states, (ids, types), (states)));

// Hugging Face's names. What they call weight is [output, input].
NAX_NAMES(huggingface,
  {"tokens", "embeddings.word_embeddings.weight", "V C"},
  {"positions", "embeddings.position_embeddings.weight", "P C"},
  {"token_types", "embeddings.token_type_embeddings.weight", "Y C"},
  {"norm.gain", "embeddings.LayerNorm.weight", "C"},
  {"norm.shift", "embeddings.LayerNorm.bias", "C"},
  {"layers.*.attention.wq", "encoder.layer.*.attention.self.query.weight", "H*D C"},
  {"layers.*.attention.bq", "encoder.layer.*.attention.self.query.bias", "H*D"},
  {"layers.*.attention.wk", "encoder.layer.*.attention.self.key.weight", "H*D C"},
  {"layers.*.attention.bk", "encoder.layer.*.attention.self.key.bias", "H*D"},
  {"layers.*.attention.wv", "encoder.layer.*.attention.self.value.weight", "H*D C"},
  {"layers.*.attention.bv", "encoder.layer.*.attention.self.value.bias", "H*D"},
  {"layers.*.attention.wo", "encoder.layer.*.attention.output.dense.weight", "C H*D"},
  {"layers.*.attention.bo", "encoder.layer.*.attention.output.dense.bias", "C"},
  {"layers.*.norm1.gain", "encoder.layer.*.attention.output.LayerNorm.weight", "C"},
  {"layers.*.norm1.shift", "encoder.layer.*.attention.output.LayerNorm.bias", "C"},
  {"layers.*.mlp.up", "encoder.layer.*.intermediate.dense.weight", "F C"},
  {"layers.*.mlp.up_bias", "encoder.layer.*.intermediate.dense.bias", "F"},
  {"layers.*.mlp.down", "encoder.layer.*.output.dense.weight", "C F"},
  {"layers.*.mlp.down_bias", "encoder.layer.*.output.dense.bias", "C"},
  {"layers.*.norm2.gain", "encoder.layer.*.output.LayerNorm.weight", "C"},
  {"layers.*.norm2.shift", "encoder.layer.*.output.LayerNorm.bias", "C"});
