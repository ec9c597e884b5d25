// Documents of a packed sequence: attention, learned positions and the loss know them, within a repeated body too.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir
// RUN: nax-opt %t.mlir --nax-check-causality -o %t.opt && FileCheck %s --input-file=%t.opt
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && nax-opt %t.gxx.mlir | diff %t.opt - %}
// REQUIRES: lowering, clang22
#include <nax/nax.h>
#include <array>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T", Packed, 256> {};
struct V : Axis<"V", 64> {};
struct P : Axis<"P", 256> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 8> {};
struct C : Axis<"C", 16> {};
using S = Read<T>;

struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Param<f32, C, H, D>, wq), (Param<f32, H, D, C>, wo));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    auto q = dot<C>(x, wq);
    return x + dot<H, D>(dot<S>(softmax<S>(causal_mask(scores<D>(q, read<T>(q)))), read<T>(q)), wo);
  }
};
struct Packed {
  BOOST_HANA_DEFINE_STRUCT(Packed, (Param<f32, V, C>, tokens), (Param<f32, P, C>, positions), (std::array<Block, 3>, layers));
  auto loss(Tensor<Ids<V>, B, T> ids) const {
    auto x = repeat(layers, embed_positions<T>(embed<V>(ids, tokens), positions));
    auto each = cross_entropy<V>(unembed<V>(x, tokens), next<T>(ids));
    return std::tuple(sum<T>(each), mean<B>(mean<T>(each)), mean<B, T>(each.values()));
  }
};
NAX_MODEL(packed, ::Packed, (loss, (ids), (rows, all, plain)));

// CHECK: #T = #nax.axis<"T", causal, 256, packed>
// CHECK: func.func private @Block({{.*}}, %[[DATA:[a-z0-9]+]]: !nax.tensor<[#B, #T], i32>)
// CHECK: nax.softmax %{{.*}} data %[[DATA]] along #ReadT
// CHECK: func.func @loss(%arg0: {{.*}}, %[[DOC:.*]]: !nax.tensor<[#B, #T], i32> {nax.data = #T, nax.name = "T_documents"})
// CHECK: nax.embed_positions %{{.*}}, %{{.*}} data %[[DOC]] along #T
// CHECK: call @Block({{.*}}, %[[DOC]])
// CHECK: %[[EACH:.*]] = nax.cross_entropy %{{.*}}, %{{.*}} data %[[DOC]] over #V {{.*}} losses<#T>>
// CHECK-NEXT: nax.sum %[[EACH]] data %[[DOC]] over [#T] {{.*}} -> !nax.tensor<[#B], f32, whole #T>
// CHECK-NEXT: %[[ROWS:.*]] = nax.mean %[[EACH]] data %[[DOC]] over [#T] {{.*}} -> !nax.tensor<[#B], f32, whole #T>
// CHECK-NEXT: nax.mean %[[ROWS]] over [#B]
// CHECK-NEXT: %[[PLAIN:.*]] = nax.values %[[EACH]]
// CHECK-NEXT: nax.mean %[[PLAIN]] over [#B, #T]
