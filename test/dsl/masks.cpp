// Masks are made of predicates and buffers, joined and turned; linear biases by head; left-padded rows.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir
// RUN: nax-opt %t.mlir --nax-check-causality -o %t.opt && FileCheck %s --input-file=%t.opt
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && nax-opt %t.gxx.mlir | diff %t.opt - %}
// REQUIRES: lowering, clang22
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct L : Causal<"L", LeftPadded> {};
struct Z : Causal<"Z", Packed> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

struct Masks {
  auto window(Tensor<f32, B, T, K, G, D> q, Tensor<f32, B, T, K, D> k, Tensor<boolean, B, S> pad,
              Tensor<boolean, B, T, S> allowed, Tensor<i32, B> lengths) const {
    auto near = nax::window<T>(16) | prefix<T>(4);
    auto m = near & !blocked_where_true(pad) & allowed_where_true(allowed);
    auto s = alibi<K, G>(softcap(scores<D>(q, read<T>(k)), 20));
    auto w = softmax<S>(causal_mask(mask(mask(s, m), shorter_than<T>(lengths))));
    return dot<S>(w, read<T>(k));
  }
  auto padded(Tensor<f32, B, L, K, D> q, Tensor<f32, B, L, K, D> k) const {
    auto w = softmax<Read<L>>(causal_mask(alibi<K>(scores<D>(q, read<L>(k)))));
    return std::pair(dot<Read<L>>(w, read<L>(k)), first<L>(k));
  }
  // Within each document, by sections.
  auto packed(Tensor<f32, B, Z, K, D> q, Tensor<i32, B, Z> sections) const {
    auto s = mask(scores<D>(q, read<Z>(q)), same_document<Z>(sections));
    return dot<Read<Z>>(softmax<Read<Z>>(causal_mask(s)), read<Z>(q));
  }
};
NAX_MODEL(masks, Masks, (window, (q, k, pad, allowed, lengths), (out)), (padded, (q, k), (out, start)),
          (packed, (q, sections), (out)));

// CHECK: func.func @window
// CHECK: nax.alibi %{{.*}} heads [#K, #G] {{.*}} scores<#T, #ReadT, capped, biased>>
// CHECK-NEXT: %[[W:.*]] = nax.window of #T size 16 : !nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>
// CHECK-NEXT: %[[P:.*]] = nax.prefix of #T size 4 : !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>
// CHECK-NEXT: %[[OR:.*]] = nax.mask_or %[[W]], %[[P]] {{.*}} -> !nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>
// CHECK-NEXT: %[[PAD:.*]] = nax.blocked_where_true %arg2 {{.*}} -> !nax.tensor<[#B, #ReadT], i1, mask<every, #ReadT>>
// CHECK-NEXT: %[[NOT:.*]] = nax.mask_not %[[PAD]]
// CHECK-NEXT: nax.mask_and %[[OR]], %[[NOT]] {{.*}} -> !nax.tensor<[#T, #ReadT, #B], i1, mask<#T, #ReadT>>
// CHECK: nax.allowed_where_true %arg3 {{.*}} mask<#T, #ReadT>>
// CHECK: nax.mask {{.*}} scores<#T, #ReadT, capped, biased, masked>>
// CHECK: nax.shorter_than %arg4 of #T
// CHECK: nax.causal_mask {{.*}} scores<#T, #ReadT, capped, biased, masked, causally>>
// CHECK: func.func @padded({{.*}}, %[[START:.*]]: !nax.tensor<[#B], i32> {nax.data = #L, nax.name = "L_starts"})
// CHECK: nax.softmax %{{.*}} data %[[START]] along #ReadL
// CHECK: nax.first %arg1 data %[[START]] of #L
// CHECK: func.func @packed({{.*}}, %[[SECTIONS:.*]]: !nax.tensor<[#B, #Z], i32> {nax.name = "sections"}, %[[DOCUMENTS:.*]]: {{.*}} {nax.data = #Z, nax.name = "Z_documents"})
// CHECK: nax.same_document %[[SECTIONS]] of #Z {{.*}} -> !nax.tensor<[#B, #Z, #ReadZ], i1, mask<#Z, #ReadZ>>
// CHECK: nax.softmax %{{.*}} data %[[DOCUMENTS]] along #ReadZ
