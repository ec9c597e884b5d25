// Grouped queries, rope, a gated feed-forward; the layers become one function.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir
// RUN: nax-opt %t.mlir --nax-check-causality -o %t.opt && FileCheck %s --input-file=%t.opt
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && nax-opt %t.gxx.mlir | diff %t.opt - %}
// REQUIRES: lowering, clang22
#include <nax/nax.h>
#include <vector>
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
inline constexpr Rope rotary{.base = 500000, .pairing = Rope::halves, .scaling = 4};

struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention, (Param<bf16, C, H, D>, wq), (Param<bf16, C, K, D>, wk), (Param<bf16, C, K, D>, wv),
                           (Param<bf16, H, D, C>, wo));
  Tensor<bf16, B, T, C> operator()(Tensor<bf16, B, T, C> x) const {
    auto q = rope<T, D, rotary>(split<H>(dot<C>(x, wq)));
    auto k = rope<T, D, rotary>(dot<C>(x, wk));
    auto v = dot<C>(x, wv);
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
    return dot<H, D>(merge<H>(dot<S>(w, read<T>(v))), wo);
  }
};
struct Mlp {
  BOOST_HANA_DEFINE_STRUCT(Mlp, (Param<bf16, C, F>, gate), (Param<bf16, C, F>, up), (Param<bf16, F, C>, down));
  auto operator()(Tensor<bf16, B, T, C> x) const { return dot<F>(silu(dot<C>(x, gate)) * dot<C>(x, up), down); }
};
struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Param<bf16, C>, norm1), (Attention, attention), (Param<bf16, C>, norm2), (Mlp, mlp));
  auto operator()(Tensor<bf16, B, T, C> x) const {
    x = x + attention(rms_norm<C>(x, norm1, Eps{1e-5}));
    return x + mlp(rms_norm<C>(x, norm2, Eps{1e-5}));
  }
};
struct Llama {
  BOOST_HANA_DEFINE_STRUCT(Llama, (Param<bf16, V, C>, tokens), (std::vector<Block>, layers), (Param<bf16, C>, norm),
                           (Param<bf16, V, C>, head));
  Llama() : layers(3) {}
  auto forward(Tensor<Ids<V>, B, T> ids) const {
    auto x = repeat(layers, embed<V>(ids, tokens));
    return unembed<V>(rms_norm<C>(x, norm, Eps{1e-5}), head);
  }
};
NAX_MODEL(llama, Llama, (forward, (ids), (logits)));

// CHECK-DAG: #[[K:.*]] = #nax.axis<"K", 2>
// CHECK-DAG: #[[G:.*]] = #nax.axis<"G", 3>
// CHECK-DAG: #[[H:.*]] = #nax.axis<"H" = #[[K]] * #[[G]]>
// CHECK-DAG: #[[T:.*]] = #nax.axis<"T", causal>
// CHECK-DAG: #[[S:.*]] = #nax.axis<read #[[T]]>
// CHECK-DAG: #[[ROPE:.*]] = #nax.rope<base = 5.000000e+05, pairing = halves, scaling = 4.000000e+00, dims = 0>
// CHECK: module attributes {nax.format = 1 : i64, nax.model = "llama"}

// CHECK: func.func private @Block(%[[X:[a-z0-9]+]]: !nax.tensor<[#B, #T, #C], bf16>, %[[N1:[a-z0-9]+]]: !nax.tensor<[#C], bf16> {nax.param}, %[[WQ:[a-z0-9]+]]: !nax.tensor<[#C, #H, #D], bf16> {nax.param}
// CHECK-NEXT: %[[N:.*]] = nax.rms_norm %[[X]], %[[N1]] over [#C] eps 1.000000e-05
// CHECK-NEXT: %[[Q:.*]] = nax.dot %[[N]], %[[WQ]] over [#C]
// CHECK-NEXT: %[[QS:.*]] = nax.split %[[Q]] axis #H {{.*}} -> !nax.tensor<[#B, #T, #K, #G, #D], bf16>
// CHECK-NEXT: %[[QR:.*]] = nax.rope %[[QS]] positions #T features #D by #rope {{.*}} rotated<#T, #D, #rope>>
// CHECK-NEXT: %[[KD:.*]] = nax.dot %[[N]]
// CHECK-NEXT: %[[KR:.*]] = nax.rope %[[KD]]
// CHECK-NEXT: %[[KS:.*]] = nax.read %[[KR]] along #T {{.*}} -> !nax.tensor<[#B, #ReadT, #K, #D], bf16, rotated<#ReadT, #D, #rope>>
// CHECK-NEXT: %[[SC:.*]] = nax.scores %[[QR]], %[[KS]] over #D scale 2.500000e-01 {{.*}} scores<#T, #ReadT>>
// CHECK-NEXT: %[[M:.*]] = nax.causal_mask %[[SC]] {{.*}} scores<#T, #ReadT, masked, causally>>
// CHECK-NEXT: %[[W:.*]] = nax.softmax %[[M]] along #ReadT {{.*}} weights<#ReadT>>
// CHECK-NEXT: nax.dot
// CHECK-NEXT: %[[VS:.*]] = nax.read
// CHECK-NEXT: %[[MIX:.*]] = nax.dot %[[W]], %[[VS]] over [#ReadT] {{.*}} -> !nax.tensor<[#B, #T, #K, #G, #D], bf16>
// CHECK-NEXT: nax.merge %[[MIX]] axis #H
// CHECK-NEXT: nax.dot {{.*}} over [#H, #D]
// CHECK-NEXT: nax.add %[[X]],
// CHECK: nax.silu
// CHECK: return
// CHECK-NOT: func.func private

// CHECK: func.func @forward(%[[IDS:.*]]: !nax.tensor<[#B, #T], i32, ids<#V>> {nax.name = "ids"}) -> (!nax.tensor<[#B, #T, #V], bf16, logits<#V>> {nax.name = "logits"}) attributes {nax.entry} {
// CHECK-NEXT: %[[TOKENS:.*]] = nax.param "tokens"
// CHECK-NEXT: nax.param "layers.0.norm1"
// CHECK-NEXT: nax.param "layers.0.attention.wq"
// CHECK: nax.param "layers.2.mlp.down"
// CHECK-NEXT: nax.param "norm"
// CHECK-NEXT: %[[HEAD:.*]] = nax.param "head"
// CHECK-NEXT: %[[E:.*]] = nax.embed %[[IDS]], %[[TOKENS]] from #V
// CHECK-NEXT: %[[L0:.*]] = call @Block(%[[E]], %1
// CHECK-NEXT: %[[L1:.*]] = call @Block(%[[L0]],
// CHECK-NEXT: %[[L2:.*]] = call @Block(%[[L1]],
// CHECK-NEXT: %[[LN:.*]] = nax.rms_norm %[[L2]],
// CHECK-NEXT: %[[OUT:.*]] = nax.unembed %[[LN]], %[[HEAD]] to #V
// CHECK-NEXT: return %[[OUT]]
