// SPDX-License-Identifier: Apache-2.0
// Weights stored in fewer bits than the model declares, against float64 on the numbers that are stored: whole and by
// steps. Matrices of repeated blocks, a table that is also a head, tables that are only looked up, a matrix whose rows
// are no multiple of 256, and one whose rows are none of 32 either. A file has the types that nothing is rounded to.
// REQUIRES: lowering, numpy, cpu-v4+
// RUN: naxc check %s --weights=f16 --cpu=v2 | FileCheck %s --check-prefixes=CHECK,FINE
// RUN: naxc check %s --weights=bf16 | FileCheck %s --check-prefixes=CHECK,ROWS
// RUN: naxc check %s --weights=bf16 --cpu=v4+ | FileCheck %s --check-prefixes=CHECK,ROWS
// RUN: naxc check %s --weights=bf16 --cpu=v3 | FileCheck %s --check-prefixes=CHECK,FINE
// RUN: naxc check %s --weights=q8_0 | FileCheck %s --check-prefixes=CHECK,ROWS
// RUN: naxc check %s --weights=q4_0 --cpu=v3 | FileCheck %s --check-prefixes=CHECK,ROWS
// RUN: naxc check %s --weights=q4_1 --cpu=v2 --activations=f32 | FileCheck %s --check-prefixes=CHECK,FINE
// RUN: %python %S/stored_weights.py Q4_K %t.q4_k.gguf && %python %S/stored_weights.py Q6_K %t.q6_k.gguf
// RUN: naxc check %s --weights=q4_k --params %t.q4_k.gguf | FileCheck %s --check-prefixes=CHECK,ROWS
// RUN: naxc check %s --weights=q6_k --params %t.q6_k.gguf --activations=f32 | FileCheck %s --check-prefixes=CHECK,FINE
// Layers that call one function have the same matrix in different types.
// RUN: %python %S/stored_weights.py Q4_K,F16,Q6_K,Q8_0,Q4_K %t.mixed.gguf
// RUN: naxc check %s --weights-of=%t.mixed.gguf --params %t.mixed.gguf --activations=f32 | FileCheck %s --check-prefixes=CHECK,FINE
// RUN: naxc %s --weights-of=%t.mixed.gguf --cpu=v3 --emit=linalg | FileCheck %s --check-prefix=MIXED
// RUN: not naxc %s --weights-of=%t.nothing.gguf 2>&1 | FileCheck %s --check-prefix=NOTHING
// MIXED: param = "blocks.0.wq", stored = 11 : i64
// MIXED: param = "blocks.1.wq", stored = 12 : i64
// MIXED: func.func private @Block.body
// MIXED: stored = "q6_k"
// MIXED: func.func private @Block_{{[0-9]+}}.body
// NOTHING: naxc: error: --weights-of: cannot open {{.*}}.nothing.gguf: No such file or directory
// CHECK: stored.forward
// FINE:  logits [B,T,V] against float64 {{.*}}e-0{{[6-9]}} of the largest, {{.*}} ok
// ROWS:  logits [B,T,V] against float64 {{.*}}e-0{{[2-4]}} of the largest, {{.*}} ok
// CHECK: with 2 threads {{ *}}the same bits {{ *}}ok
// CHECK: stored.forward_step
// CHECK: in one chunk, steps, odd chunks {{.*}} ok
// CHECK: a row alone and in the batch {{ *}}the same bits {{ *}}ok
#include <nax/nax.h>
#include <array>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 101> {};
struct W : Axis<"W", 7> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 64> {};
struct C : Axis<"C", 256> {};
struct F : Axis<"F", 288> {};
struct E : Axis<"E", 12> {};
using S = Read<T>;

struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block,
    (Param<f32, C>, gain), (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv),
    (Param<f32, H, D, C>, wo), (Param<f32, C>, norm), (Param<f32, C, F>, up), (Param<f32, F, C>, down));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    auto y = rms_norm<C>(x, gain, Eps{1e-5});
    auto w = softmax<S>(causal_mask(scores<D>(dot<C>(y, wq), read<T>(dot<C>(y, wk)))));
    x = x + dot<H, D>(dot<S>(w, read<T>(dot<C>(y, wv))), wo);
    return x + dot<F>(silu(dot<C>(rms_norm<C>(x, norm, Eps{1e-5}), up)), down);
  }
};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model,
    (Param<f32, V, C>, tokens), (Param<f32, W, C>, kinds), (Param<f32, W, E>, marks), (Param<f32, E, C>, mark),
    (std::array<Block, 2>, blocks), (Param<f32, C>, gain));
  auto forward(Tensor<Ids<V>, B, T> ids, Tensor<Ids<W>, B, T> kind) const {
    auto x = embed<V>(ids, tokens) + embed<W>(kind, kinds) + dot<E>(embed<W>(kind, marks), mark);
    return unembed<V>(rms_norm<C>(repeat(blocks, x), gain, Eps{1e-5}), tokens);
  }
};
NAX_MODEL(stored, Model, (forward, (ids, kind), (logits)));
NAX_DECODE(forward);
NAX_NAMES(gguf,
  {"tokens", "file.tokens", "V C"},
  {"blocks.*.wq", "file.blocks.*.wq", "H*D C"},
  {"blocks.*.wk", "file.blocks.*.wk", "H*D C"},
  {"blocks.*.wv", "file.blocks.*.wv", "H*D C"},
  {"blocks.*.wo", "file.blocks.*.wo", "C H*D"},
  {"blocks.*.up", "file.blocks.*.up", "F C"},
  {"blocks.*.down", "file.blocks.*.down", "C F"},
  {"blocks.*.gain", "file.blocks.*.gain", "C"},
  {"blocks.*.norm", "file.blocks.*.norm", "C"},
  {"kinds", "file.kinds", "W C"},
  {"marks", "file.marks", "W E"},
  {"mark", "file.mark", "E C"},
  {"gain", "file.gain", "C"});
