// SPDX-License-Identifier: Apache-2.0
// A GPT in the manner of GPT-2: learned positions, layer norm before each branch, a head tied to the embedding.
#include <nax/nax.h>
#include <array>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 128> {};  // a token is a byte
struct P : Axis<"P", 96> {};   // positions that were learned
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 16> {};
struct C : Axis<"C", 64> {};
struct F : Axis<"F", 256> {};
using S = Read<T>;

struct Norm {
  BOOST_HANA_DEFINE_STRUCT(Norm, (Param<f32, C>, gain), (Param<f32, C>, shift));
  // Any tensor that has C: the hidden states of all positions, or of the last.
  auto operator()(auto x) const { return layer_norm<C>(x, gain, shift, Eps{1e-5}); }
};

struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention,
    (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv), (Param<f32, H, D, C>, wo));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    auto q = dot<C>(x, wq);
    auto k = dot<C>(x, wk);
    auto v = dot<C>(x, wv);
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
    return dot<H, D>(dot<S>(w, read<T>(v)), wo);
  }
};

struct Mlp {
  BOOST_HANA_DEFINE_STRUCT(Mlp,
    (Param<f32, C, F>, up), (Param<f32, F>, up_bias), (Param<f32, F, C>, down), (Param<f32, C>, down_bias));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    return dot<F>(gelu_tanh(dot<C>(x, up) + up_bias), down) + down_bias;
  }
};

struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Norm, norm1), (Attention, attention), (Norm, norm2), (Mlp, mlp));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    x = x + attention(norm1(x));
    return x + mlp(norm2(x));
  }
};

struct Gpt {
  BOOST_HANA_DEFINE_STRUCT(Gpt,
    (Param<f32, V, C>, tokens), (Param<f32, P, C>, positions), (std::array<Block, 3>, blocks), (Norm, norm));

  Tensor<f32, B, T, C> hidden(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed_positions<T>(embed<V>(ids, tokens), positions);
    return repeat(blocks, x);
  }
  // What each position expects next.
  auto forward(Tensor<Ids<V>, B, T> ids) const { return unembed<V>(norm(hidden(ids)), tokens); }
  // The mean surprise at what did come next.
  auto loss(Tensor<Ids<V>, B, T> ids) const { return mean<B, T>(cross_entropy<V>(forward(ids), next<T>(ids))); }
  // The likeliest token after the last one; the head is computed for that position only.
  auto follow(Tensor<Ids<V>, B, T> ids) const { return argmax<V>(unembed<V>(norm(last<T>(hidden(ids))), tokens)); }
};

NAX_MODEL(gpt, Gpt, (forward, (ids), (logits)), (loss, (ids), (loss)), (follow, (ids), (id)));
