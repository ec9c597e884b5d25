// Learned positions, biases, a plain loop over the layers, and a second entry for the loss.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir
// RUN: nax-opt %t.mlir --nax-check-causality -o %t.opt && FileCheck %s --input-file=%t.opt
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && nax-opt %t.gxx.mlir | diff %t.opt - %}
// REQUIRES: lowering, clang22
#include <nax/nax.h>
#include <array>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 50257> {};
struct H : Axis<"H", 12> {};
struct D : Axis<"D", 64> {};
struct C : Axis<"C", 768> {};
struct F : Axis<"F", 3072> {};
struct P : Axis<"P", 1024> {};
using S = Read<T>;

struct Norm {
  BOOST_HANA_DEFINE_STRUCT(Norm, (Param<f32, C>, gain), (Param<f32, C>, shift));
  auto operator()(Tensor<f32, B, T, C> x) const { return layer_norm<C>(x, gain, shift, Eps{1e-5}); }
};
struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention, (Param<f32, C, H, D>, wq), (Param<f32, H, D>, bq), (Param<f32, C, H, D>, wk),
                           (Param<f32, C, H, D>, wv), (Param<f32, H, D, C>, wo));
  auto operator()(Tensor<f32, B, T, C> x) const {
    auto q = dot<C>(x, wq) + bq;
    auto k = dot<C>(x, wk);
    auto v = dot<C>(x, wv);
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
    return dot<H, D>(dot<S>(w, read<T>(v)), wo);
  }
};
struct Mlp {
  BOOST_HANA_DEFINE_STRUCT(Mlp, (Param<f32, C, F>, up), (Param<f32, F>, bias), (Param<f32, F, C>, down));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const { return dot<F>(gelu_tanh(dot<C>(x, up) + bias), down); }
};
struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Norm, ln1), (Attention, attention), (Norm, ln2), (Mlp, mlp));
  auto operator()(Tensor<f32, B, T, C> x) const {
    auto y = x + attention(ln1(x));
    return y + mlp(ln2(y));
  }
};
struct Gpt {
  BOOST_HANA_DEFINE_STRUCT(Gpt, (Param<f32, V, C>, tokens), (Param<f32, P, C>, positions), (std::array<Block, 2>, blocks),
                           (Norm, ln));
  auto forward(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed_positions<T>(embed<V>(ids, tokens), positions);
    for (auto& block : blocks) x = block(x);
    return unembed<V>(ln(x), tokens);
  }
  auto loss(Tensor<Ids<V>, B, T> ids) const { return mean<B, T>(cross_entropy<V>(forward(ids), next<T>(ids))); }
};
NAX_MODEL(gpt, Gpt, (forward, (ids), (logits)), (loss, (ids), (loss)));

// A loop is no call: its bodies follow one another.
// CHECK-NOT: func.func private
// CHECK: func.func @forward(
// CHECK: %[[E:.*]] = nax.embed %arg0, %0 from #V
// CHECK-NEXT: %[[X:.*]] = nax.embed_positions %[[E]], %1 along #T
// CHECK-NEXT: nax.layer_norm %[[X]], %{{.*}} shift %{{.*}} over [#C] eps 1.000000e-05
// CHECK-COUNT-2: nax.gelu_tanh
// CHECK: nax.unembed %{{.*}}, %0 to #V
// CHECK-NOT: call

// CHECK: func.func @loss(%[[IDS:.*]]: !nax.tensor<[#B, #T], i32, ids<#V>> {nax.name = "ids"}) -> (!nax.tensor<[], f32, whole #T> {nax.name = "loss"}) attributes {nax.entry} {
// CHECK: %[[LOGITS:.*]] = nax.unembed
// CHECK-NEXT: %[[LABELS:.*]] = nax.next %[[IDS]] along #T : (!nax.tensor<[#B, #T], i32, ids<#V>>) -> !nax.tensor<[#B, #NextT], i32, ids<#V>>
// CHECK-NEXT: %[[L:.*]] = nax.cross_entropy %[[LOGITS]], %[[LABELS]] over #V {{.*}} -> !nax.tensor<[#B, #T], f32, losses<#T>>
// CHECK-NEXT: %[[M:.*]] = nax.mean %[[L]] over [#B, #T] {{.*}} -> !nax.tensor<[], f32, whole #T>
// CHECK-NEXT: return %[[M]]
