// SPDX-License-Identifier: Apache-2.0
// SmolLM2-135M (Hugging Face, 2025): the Llama form with grouped key heads, rotary positions, gated feed-forward and a
// head tied to the embedding. The tables at the end let one text read the GGUF file and Hugging Face's own.
#include <nax/nax.h>
#include <array>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};             // token positions; position t may read only s <= t
struct V : Axis<"V", 49152> {};        // the vocabulary
struct C : Axis<"C", 576> {};          // the width of the model
struct K : Axis<"K", 3> {};            // key heads
struct G : Axis<"G", 3> {};            // query heads to each key head
struct H : Product<"H", K, G> {};      // query heads
struct D : Axis<"D", 64> {};           // what a query and a key are compared along
struct F : Axis<"F", 1536> {};         // the width of the feed-forward layer
using S = Read<T>;                     // the same positions, in the role of being read
inline constexpr Rope rotary{.base = 100000, .pairing = Rope::halves};

struct Norm {
  BOOST_HANA_DEFINE_STRUCT(Norm, (Param<f32, C>, gain));
  // Any tensor that has C: the states of all positions, or of the last.
  auto operator()(auto x) const { return rms_norm<C>(x, gain, Eps{1e-5}); }
};

struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention,
    (Param<f32, C, H, D>, wq), (Param<f32, C, K, D>, wk), (Param<f32, C, K, D>, wv), (Param<f32, H, D, C>, wo));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    auto q = rope<T, D, rotary>(split<H>(dot<C>(x, wq)));            // [B,T,K,G,D]
    auto k = rope<T, D, rotary>(dot<C>(x, wk));                      // [B,T,K,D]
    auto v = dot<C>(x, wv);                                          // [B,T,K,D]
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));      // [B,T,K,G,S]
    return dot<H, D>(merge<H>(dot<S>(w, read<T>(v))), wo);
  }
};

struct FeedForward {
  BOOST_HANA_DEFINE_STRUCT(FeedForward, (Param<f32, C, F>, gate), (Param<f32, C, F>, up), (Param<f32, F, C>, down));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    return dot<F>(silu(dot<C>(x, gate)) * dot<C>(x, up), down);
  }
};

struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Norm, norm1), (Attention, attention), (Norm, norm2), (FeedForward, mlp));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    x = x + attention(norm1(x));
    return x + mlp(norm2(x));
  }
};

struct SmolLM2 {
  BOOST_HANA_DEFINE_STRUCT(SmolLM2, (Param<f32, V, C>, tokens), (std::array<Block, 30>, layers), (Norm, norm));

  Tensor<f32, B, T, C> hidden(Tensor<Ids<V>, B, T> ids) const { return repeat(layers, embed<V>(ids, tokens)); }

  // What comes after the last position: [B,V]. The head is computed for that one only.
  auto forward(Tensor<Ids<V>, B, T> ids) const { return unembed<V>(norm(last<T>(hidden(ids))), tokens); }
  // What comes after each position: [B,T,V].
  auto all(Tensor<Ids<V>, B, T> ids) const { return unembed<V>(norm(hidden(ids)), tokens); }
};

NAX_MODEL(smollm2, SmolLM2, (forward, (ids), (logits)), (all, (ids), (logits)));
NAX_DECODE(forward);   // forward_step: new positions after those that a cache has, derived from forward

// What the files call the parameters, and the order of their axes as numpy sees them. llama.cpp's files have the rows
// of q and k re-ordered so that the two components of a rotary pair are neighbours; read as they are, they would give
// fluent nonsense.
NAX_NAMES(gguf,
  {"tokens", "token_embd.weight", "V C"},
  {"layers.*.norm1.gain", "blk.*.attn_norm.weight", "C"},
  {"layers.*.attention.wq", "blk.*.attn_q.weight", "H*D C", "interleaved_to_halves:D"},
  {"layers.*.attention.wk", "blk.*.attn_k.weight", "K*D C", "interleaved_to_halves:D"},
  {"layers.*.attention.wv", "blk.*.attn_v.weight", "K*D C"},
  {"layers.*.attention.wo", "blk.*.attn_output.weight", "C H*D"},
  {"layers.*.norm2.gain", "blk.*.ffn_norm.weight", "C"},
  {"layers.*.mlp.gate", "blk.*.ffn_gate.weight", "F C"},
  {"layers.*.mlp.up", "blk.*.ffn_up.weight", "F C"},
  {"layers.*.mlp.down", "blk.*.ffn_down.weight", "C F"},
  {"norm.gain", "output_norm.weight", "C"});

NAX_NAMES(huggingface,
  {"tokens", "model.embed_tokens.weight", "V C"},
  {"layers.*.norm1.gain", "model.layers.*.input_layernorm.weight", "C"},
  {"layers.*.attention.wq", "model.layers.*.self_attn.q_proj.weight", "H*D C"},
  {"layers.*.attention.wk", "model.layers.*.self_attn.k_proj.weight", "K*D C"},
  {"layers.*.attention.wv", "model.layers.*.self_attn.v_proj.weight", "K*D C"},
  {"layers.*.attention.wo", "model.layers.*.self_attn.o_proj.weight", "C H*D"},
  {"layers.*.norm2.gain", "model.layers.*.post_attention_layernorm.weight", "C"},
  {"layers.*.mlp.gate", "model.layers.*.mlp.gate_proj.weight", "F C"},
  {"layers.*.mlp.up", "model.layers.*.mlp.up_proj.weight", "F C"},
  {"layers.*.mlp.down", "model.layers.*.mlp.down_proj.weight", "C F"},
  {"norm.gain", "model.norm.weight", "C"});
