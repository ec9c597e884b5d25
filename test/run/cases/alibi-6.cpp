// SPDX-License-Identifier: Apache-2.0
// Linear biases for a head count that is no power of two; norms without a shift.
// Written by test/run/model_text.py --update.
// REQUIRES: lowering, numpy, cpu-v3
// RUN: %python %S/../run_case.py --model %s --cases %cases alibi-6
#include <nax/nax.h>
#include <array>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 64> {};
struct H : Axis<"H", 6> {};
struct D : Axis<"D", 16> {};
struct C : Axis<"C", 96> {};
struct F : Axis<"F", 192> {};
using S = Read<T>;

struct Norm {
  BOOST_HANA_DEFINE_STRUCT(Norm,
    (Param<f32, C>, gain));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const { return layer_norm<C>(x, gain, Eps{1e-5}); }
};

struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention,
    (Param<f32, C, H, D>, wq),
    (Param<f32, C, H, D>, wk),
    (Param<f32, C, H, D>, wv),
    (Param<f32, H, D, C>, wo));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    auto q = dot<C>(x, wq);
    auto k = dot<C>(x, wk);
    auto v = dot<C>(x, wv);
    auto w = softmax<S>(causal_mask(alibi<H>(scores<D>(q, read<T>(k)))));
    return dot<H, D>(dot<S>(w, read<T>(v)), wo);
  }
};

struct Mlp {
  BOOST_HANA_DEFINE_STRUCT(Mlp,
    (Param<f32, C, F>, up),
    (Param<f32, F, C>, down));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    return dot<F>(gelu_tanh(dot<C>(x, up)), down);
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
    (std::array<Block, 2>, layers),
    (Norm, norm));
  auto forward(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed<V>(ids, tokens);
    auto logits = unembed<V>(norm(repeat(layers, x)), tokens);
    return std::tuple(logits, mean<B, T>(cross_entropy<V>(logits, next<T>(ids))));
  }
};

NAX_MODEL(alibi_6, Model, (forward, (ids), (logits, loss)));
NAX_NAMES(reference,
  {"layers.*.attention.wq", "layers.*.q.weight", "H*D C"},
  {"layers.*.attention.wk", "layers.*.k.weight", "H*D C"},
  {"layers.*.attention.wv", "layers.*.v.weight", "H*D C"},
  {"layers.*.attention.wo", "layers.*.o.weight", "C H*D"},
  {"layers.*.mlp.up", "layers.*.up.weight", "F C"},
  {"layers.*.mlp.down", "layers.*.down.weight", "C F"},
  {"layers.*.norm1.gain", "layers.*.norm1.weight"},
  {"layers.*.norm2.gain", "layers.*.norm2.weight"},
  {"tokens", "embed", "V C"},
  {"norm.gain", "norm.weight"});
