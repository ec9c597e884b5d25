// An encoder over rows of different lengths: nobody writes a mask.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir
// RUN: nax-opt %t.mlir --nax-check-causality -o %t.opt && FileCheck %s --input-file=%t.opt
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && nax-opt %t.gxx.mlir | diff %t.opt - %}
// REQUIRES: lowering, clang22
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Positions<"T", Ragged> {};
struct V : Axis<"V", 80> {};
struct H : Axis<"H", 4> {};
struct D : Axis<"D", 12> {};
struct C : Axis<"C", 48> {};
struct F : Axis<"F", 96> {};
struct P : Axis<"P", 32> {};
struct N : Axis<"N", 2> {};
using S = Read<T>;

struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention, (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv),
                           (Param<f32, H, D, C>, wo));
  auto operator()(Tensor<f32, B, T, C> x) const {
    auto w = softmax<S>(scores<D>(dot<C>(x, wq), read<T>(dot<C>(x, wk))));
    return dot<H, D>(dot<S>(w, read<T>(dot<C>(x, wv))), wo);
  }
};
struct Bert {
  BOOST_HANA_DEFINE_STRUCT(Bert, (Param<f32, V, C>, tokens), (Param<f32, P, C>, positions), (Attention, attention),
                           (Param<f32, C>, gain), (Param<f32, C>, shift), (Param<f32, C, F>, up), (Param<f32, F, C>, down),
                           (Param<f32, N, C>, classes));
  auto hidden(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed_positions<T>(embed<V>(ids, tokens), positions);
    auto y = layer_norm<C>(x + attention(x), gain, shift, Eps{1e-12});
    return y + dot<F>(gelu(dot<C>(y, up)), down);
  }
  auto fill(Tensor<Ids<V>, B, T> ids, Tensor<Ids<V>, B, T> labels) const {
    auto logits = unembed<V>(hidden(ids), tokens);
    return std::tuple(argmax<V>(logits), mean<B, T>(cross_entropy<V>(logits, labels)));
  }
  auto classify(Tensor<Ids<V>, B, T> ids, Tensor<Ids<N>, B> label) const {
    auto x = hidden(ids);
    auto loss = mean<B>(cross_entropy<N>(unembed<N>(first<T>(x), classes), label));
    return std::tuple(mean<T>(x), max<T>(x), last<T>(x), loss);
  }
};
NAX_MODEL(bert, Bert, (fill, (ids, labels), (best, loss)), (classify, (ids, label), (mean, max, last, loss)));

// CHECK: #T = #nax.axis<"T", positions, ragged>
// CHECK: func.func @fill(%{{.*}} {nax.name = "ids"}, %{{.*}} {nax.name = "labels"}, %[[LEN:.*]]: !nax.tensor<[#B], i32> {nax.data = #T, nax.name = "T_lengths"}) -> (!nax.tensor<[#B, #T], i32, ids<#V>> {nax.name = "best"}, !nax.tensor<[], f32> {nax.name = "loss"})
// CHECK: nax.embed_positions %{{.*}}, %{{.*}} along #T
// CHECK: nax.softmax %{{.*}} data %[[LEN]] along #ReadT
// Labels that stand on T itself: every position has one, and only real ones count.
// CHECK: nax.cross_entropy %{{.*}}, %arg1 over #V {{.*}} -> !nax.tensor<[#B, #T], f32>
// CHECK: nax.mean %{{.*}} data %[[LEN]] over [#B, #T]
// CHECK: func.func @classify(
// CHECK-DAG: nax.mean %{{.*}} data %arg2 over [#T]
// CHECK-DAG: nax.max %{{.*}} data %arg2 over [#T]
// CHECK-DAG: nax.last %{{.*}} data %arg2 of #T
// CHECK-DAG: nax.first %{{.*}} data %arg2 of #T
