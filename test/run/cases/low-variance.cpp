// SPDX-License-Identifier: Apache-2.0
// Activations so small that eps decides.
// Written by test/run/model_text.py --update.
// REQUIRES: lowering, numpy, cpu-v3
// RUN: %python %S/../run_case.py --model %s --cases %cases low-variance
#include <nax/nax.h>
#include <array>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 40> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 16> {};
struct C : Axis<"C", 32> {};
struct F : Axis<"F", 64> {};
struct P : Axis<"P", 12> {};
using S = Read<T>;

struct Norm {
  BOOST_HANA_DEFINE_STRUCT(Norm,
    (Param<f32, C>, gain),
    (Param<f32, C>, shift));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const { return layer_norm<C>(x, gain, shift, Eps{1e-5}); }
};

struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention,
    (Param<f32, C, H, D>, wq),
    (Param<f32, H, D>, bq),
    (Param<f32, C, H, D>, wk),
    (Param<f32, H, D>, bk),
    (Param<f32, C, H, D>, wv),
    (Param<f32, H, D>, bv),
    (Param<f32, H, D, C>, wo),
    (Param<f32, C>, bo));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    auto q = dot<C>(x, wq) + bq;
    auto k = dot<C>(x, wk) + bk;
    auto v = dot<C>(x, wv) + bv;
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
    return dot<H, D>(dot<S>(w, read<T>(v)), wo) + bo;
  }
};

struct Mlp {
  BOOST_HANA_DEFINE_STRUCT(Mlp,
    (Param<f32, C, F>, up),
    (Param<f32, F>, up_bias),
    (Param<f32, F, C>, down),
    (Param<f32, C>, down_bias));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    return dot<F>(gelu_tanh(dot<C>(x, up) + up_bias), down) + down_bias;
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
    (Param<f32, P, C>, positions),
    (std::array<Block, 1>, layers),
    (Norm, norm));
  auto forward(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed_positions<T>(embed<V>(ids, tokens), positions);
    auto logits = unembed<V>(norm(repeat(layers, x)), tokens);
    return std::tuple(logits, mean<B, T>(cross_entropy<V>(logits, next<T>(ids))));
  }
};

NAX_MODEL(low_variance, Model, (forward, (ids), (logits, loss)));
NAX_NAMES(reference,
  {"layers.*.attention.wq", "layers.*.q.weight", "H*D C"},
  {"layers.*.attention.bq", "layers.*.q.bias", "H*D"},
  {"layers.*.attention.wk", "layers.*.k.weight", "H*D C"},
  {"layers.*.attention.bk", "layers.*.k.bias", "H*D"},
  {"layers.*.attention.wv", "layers.*.v.weight", "H*D C"},
  {"layers.*.attention.bv", "layers.*.v.bias", "H*D"},
  {"layers.*.attention.wo", "layers.*.o.weight", "C H*D"},
  {"layers.*.attention.bo", "layers.*.o.bias", "C"},
  {"layers.*.mlp.up", "layers.*.up.weight", "F C"},
  {"layers.*.mlp.up_bias", "layers.*.up.bias", "F"},
  {"layers.*.mlp.down", "layers.*.down.weight", "C F"},
  {"layers.*.mlp.down_bias", "layers.*.down.bias", "C"},
  {"layers.*.norm1.gain", "layers.*.norm1.weight"},
  {"layers.*.norm1.shift", "layers.*.norm1.bias"},
  {"layers.*.norm2.gain", "layers.*.norm2.weight"},
  {"layers.*.norm2.shift", "layers.*.norm2.bias"},
  {"tokens", "embed", "V C"},
  {"positions", "positions", "P C"},
  {"norm.gain", "norm.weight"},
  {"norm.shift", "norm.bias"});
