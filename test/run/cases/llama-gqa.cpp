// SPDX-License-Identifier: Apache-2.0
// RMSNorm, rope on halves, grouped key heads and a gated feed-forward.
// Written by test/run/model_text.py --update.
// REQUIRES: lowering, numpy, cpu-v3
// RUN: %python %S/../run_case.py --model %s --cases %cases llama-gqa
#include <nax/nax.h>
#include <array>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 97> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct D : Axis<"D", 16> {};
struct C : Axis<"C", 96> {};
struct F : Axis<"F", 160> {};
using S = Read<T>;
inline constexpr Rope rotary{.base = 10000.0, .pairing = Rope::halves};

struct Norm {
  BOOST_HANA_DEFINE_STRUCT(Norm,
    (Param<f32, C>, gain));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const { return rms_norm<C>(x, gain, Eps{1e-5}); }
};

struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention,
    (Param<f32, C, H, D>, wq),
    (Param<f32, C, K, D>, wk),
    (Param<f32, C, K, D>, wv),
    (Param<f32, H, D, C>, wo));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    auto q = rope<T, D, rotary>(split<H>(dot<C>(x, wq)));
    auto k = rope<T, D, rotary>(dot<C>(x, wk));
    auto v = dot<C>(x, wv);
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
    return dot<H, D>(merge<H>(dot<S>(w, read<T>(v))), wo);
  }
};

struct Mlp {
  BOOST_HANA_DEFINE_STRUCT(Mlp,
    (Param<f32, C, F>, gate),
    (Param<f32, C, F>, up),
    (Param<f32, F, C>, down));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    return dot<F>(silu(dot<C>(x, gate)) * dot<C>(x, up), down);
  }
};

struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block,
    (Norm, norm1),
    (Attention, attention),
    (Norm, norm2),
    (Mlp, mlp));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    x = x + attention(norm1(x));
    return x + mlp(norm2(x));
  }
};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model,
    (Param<f32, V, C>, tokens),
    (std::array<Block, 3>, layers),
    (Norm, norm));
  auto forward(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed<V>(ids, tokens);
    auto logits = unembed<V>(norm(repeat(layers, x)), tokens);
    return std::tuple(logits, mean<B, T>(cross_entropy<V>(logits, next<T>(ids))));
  }
};

NAX_MODEL(llama_gqa, Model, (forward, (ids), (logits, loss)));
NAX_NAMES(reference,
  {"layers.*.attention.wq", "layers.*.q.weight", "H*D C"},
  {"layers.*.attention.wk", "layers.*.k.weight", "K*D C"},
  {"layers.*.attention.wv", "layers.*.v.weight", "K*D C"},
  {"layers.*.attention.wo", "layers.*.o.weight", "C H*D"},
  {"layers.*.mlp.gate", "layers.*.gate.weight", "F C"},
  {"layers.*.mlp.up", "layers.*.up.weight", "F C"},
  {"layers.*.mlp.down", "layers.*.down.weight", "C F"},
  {"layers.*.norm1.gain", "layers.*.norm1.weight"},
  {"layers.*.norm2.gain", "layers.*.norm2.weight"},
  {"tokens", "embed", "V C"},
  {"norm.gain", "norm.weight"});
