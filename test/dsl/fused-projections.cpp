// Queries, keys and values in one weight: a Concat of products, or a product of a group and a Concat.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir
// RUN: nax-opt %t.mlir --nax-check-causality -o %t.opt && FileCheck %s --input-file=%t.opt
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && nax-opt %t.gxx.mlir | diff %t.opt - %}
// REQUIRES: lowering, clang22
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 32> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 2> {};
struct D : Axis<"D", 8> {};
struct Queries : Product<"Queries", K, G, D> {};
struct Keys : Product<"Keys", K, D> {};
struct Values : Axis<"Values", 8> {};
struct QKV : Concat<"QKV", Queries, Keys, Values> {};
struct Dq : Axis<"Dq", 8> {};
struct Dk : Axis<"Dk", 8> {};
struct One : Concat<"One", Dq, Dk> {};
struct PerHead : Product<"PerHead", K, One> {};
using S = Read<T>;

struct Fused {
  BOOST_HANA_DEFINE_STRUCT(Fused, (Param<f32, C, QKV>, qkv), (Param<f32, C, PerHead>, per_head));
  auto sections(Tensor<f32, B, T, C> x) const {
    auto y = dot<C>(x, qkv);
    auto q = split<Queries>(part<Queries>(y));
    auto k = split<Keys>(part<Keys>(y));
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
    return std::tuple(dot<S>(w, read<T>(part<Values>(y))), concat<QKV>(part<Queries>(y), part<Keys>(y), part<Values>(y)));
  }
  auto heads(Tensor<f32, B, T, C> x) const { return part<Dk>(split<PerHead>(dot<C>(x, per_head))); }
};
NAX_MODEL(fused, Fused, (sections, (x), (out, again)), (heads, (x), (k)));

// CHECK-DAG: #Queries = #nax.axis<"Queries" = #K * #G * #D>
// CHECK-DAG: #QKV = #nax.axis<"QKV" = #Queries + #Keys + #Values>
// CHECK-DAG: #One = #nax.axis<"One" = #Dq + #Dk>
// CHECK-DAG: #PerHead = #nax.axis<"PerHead" = #K * #One>
// CHECK: %[[Y:.*]] = nax.dot %arg0, %0 over [#C] {{.*}} -> !nax.tensor<[#B, #T, #QKV], f32>
// CHECK: %[[Q:.*]] = nax.part %[[Y]] concat #QKV part #Queries {{.*}} -> !nax.tensor<[#B, #T, #Queries], f32>
// CHECK: nax.split %[[Q]] axis #Queries {{.*}} -> !nax.tensor<[#B, #T, #K, #G, #D], f32>
// CHECK: nax.concat %{{.*}}, %{{.*}}, %{{.*}} axis #QKV {{.*}} -> !nax.tensor<[#B, #T, #QKV], f32>
// CHECK: nax.part {{.*}} concat #One part #Dk {{.*}} -> !nax.tensor<[#B, #T, #K, #Dk], f32>
