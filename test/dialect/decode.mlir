// A step as nax-derive-decode makes it prints as it was written, and nothing
// removes or merges what keeps a cache.
// RUN: nax-opt %s --verify-roundtrip --cse | FileCheck %s
// RUN: nax-opt %s --mlir-print-op-generic | nax-opt | FileCheck %s
// RUN: nax-opt %s --nax-check-causality --nax-fuse-attention | FileCheck %s --check-prefix=FUSED

// CHECK-DAG: #T_new = #nax.axis<"T", causal, continued>
// CHECK-DAG: #T_span = #nax.axis<"T.span", 2>
// CHECK-DAG: #T_ring16_ = #nax.axis<"T.ring16">
#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#D = #nax.axis<"D", 4>
#T_new = #nax.axis<"T", causal, continued>
#ReadT_new = #nax.axis<read #T_new>
#T_span = #nax.axis<"T.span", 2>
#T_cache = #nax.axis<"T.cache">
#T_ring16_ = #nax.axis<"T.ring16">
#rope = #nax.rope<base = 1.0e4, pairing = halves, scaling = 1.0, dims = 0>

// CHECK-LABEL: func.func @forward_step(
// CHECK-SAME:    %[[X:.*]]: !nax.tensor<[#B, #T_new, #D], f32> {nax.name = "x"}
// CHECK-SAME:    %[[SPAN:.*]]: !nax.tensor<[#B, #T_span], i32> {nax.name = "T_lengths", nax.span = #T_new}
// CHECK-SAME:    %[[KEYS:.*]]: !nax.tensor<[#B, #T_ring16_, #D], f32> {nax.cache = {index = 0 : i64, ring = 16 : i64}, nax.name = "cache.0"}
// CHECK:         %[[AT:.*]] = nax.positions %[[SPAN]] along #T_new
// CHECK:         %[[Q:.*]] = nax.rope %[[X]] data %[[AT]] positions #T_new
// CHECK:         %[[K:.*]] = nax.cached %[[Q]], %[[KEYS]] span %[[SPAN]] along #T_new
// CHECK-SAME:      -> !nax.tensor<[#B, #ReadT_new, #D], f32, rotated<#ReadT_new, #D, #rope>>
// CHECK:         nax.softmax %{{.*}} data %[[SPAN]] along #ReadT_new
// CHECK:         nax.last %{{.*}} data %[[SPAN]] of #T_new
// FUSED-LABEL: func.func @forward_step(
// FUSED:         %[[WINDOW:.*]] = nax.window of #T_new size 16
// FUSED:         nax.attention %{{.*}}, %{{.*}}, %{{.*}} mask %[[WINDOW]] data %arg1 over #D along #ReadT_new scale 5.000000e-01 causal
func.func @forward_step(
    %x: !nax.tensor<[#B, #T_new, #D], f32> {nax.name = "x"},
    %span: !nax.tensor<[#B, #T_span], i32> {nax.name = "T_lengths", nax.span = #T_new},
    %keys: !nax.tensor<[#B, #T_ring16_, #D], f32> {nax.name = "cache.0", nax.cache = {index = 0, ring = 16}},
    %values: !nax.tensor<[#B, #T_cache, #D], f32> {nax.name = "cache.1", nax.cache = {index = 1}})
    -> (!nax.tensor<[#B, #D], f32, whole #T_new> {nax.name = "y"}) attributes {nax.entry, nax.step = "forward"} {
  %p = nax.positions %span along #T_new : (!nax.tensor<[#B, #T_span], i32>) -> !nax.tensor<[#B, #T_new], i32>
  %q = nax.rope %x data %p positions #T_new features #D by #rope : (!nax.tensor<[#B, #T_new, #D], f32>, !nax.tensor<[#B, #T_new], i32>) -> !nax.tensor<[#B, #T_new, #D], f32, rotated<#T_new, #D, #rope>>
  %k = nax.cached %q, %keys span %span along #T_new : (!nax.tensor<[#B, #T_new, #D], f32, rotated<#T_new, #D, #rope>>, !nax.tensor<[#B, #T_ring16_, #D], f32>, !nax.tensor<[#B, #T_span], i32>) -> !nax.tensor<[#B, #ReadT_new, #D], f32, rotated<#ReadT_new, #D, #rope>>
  %s = nax.scores %q, %k over #D scale 5.0e-1 : (!nax.tensor<[#B, #T_new, #D], f32, rotated<#T_new, #D, #rope>>, !nax.tensor<[#B, #ReadT_new, #D], f32, rotated<#ReadT_new, #D, #rope>>) -> !nax.tensor<[#B, #T_new, #ReadT_new], f32, scores<#T_new, #ReadT_new>>
  %c = nax.causal_mask %s : (!nax.tensor<[#B, #T_new, #ReadT_new], f32, scores<#T_new, #ReadT_new>>) -> !nax.tensor<[#B, #T_new, #ReadT_new], f32, scores<#T_new, #ReadT_new, masked, causally>>
  %w = nax.window of #T_new size 16 : !nax.tensor<[#T_new, #ReadT_new], i1, mask<#T_new, #ReadT_new>>
  %m = nax.mask %c, %w : (!nax.tensor<[#B, #T_new, #ReadT_new], f32, scores<#T_new, #ReadT_new, masked, causally>>, !nax.tensor<[#T_new, #ReadT_new], i1, mask<#T_new, #ReadT_new>>) -> !nax.tensor<[#B, #T_new, #ReadT_new], f32, scores<#T_new, #ReadT_new, masked, causally>>
  %a = nax.softmax %m data %span along #ReadT_new : (!nax.tensor<[#B, #T_new, #ReadT_new], f32, scores<#T_new, #ReadT_new, masked, causally>>, !nax.tensor<[#B, #T_span], i32>) -> !nax.tensor<[#B, #T_new, #ReadT_new], f32, weights<#ReadT_new>>
  %v = nax.cached %x, %values span %span along #T_new : (!nax.tensor<[#B, #T_new, #D], f32>, !nax.tensor<[#B, #T_cache, #D], f32>, !nax.tensor<[#B, #T_span], i32>) -> !nax.tensor<[#B, #ReadT_new, #D], f32>
  %o = nax.dot %a, %v over [#ReadT_new] : (!nax.tensor<[#B, #T_new, #ReadT_new], f32, weights<#ReadT_new>>, !nax.tensor<[#B, #ReadT_new, #D], f32>) -> !nax.tensor<[#B, #T_new, #D], f32>
  %y = nax.last %o data %span of #T_new : (!nax.tensor<[#B, #T_new, #D], f32>, !nax.tensor<[#B, #T_span], i32>) -> !nax.tensor<[#B, #D], f32, whole #T_new>
  return %y : !nax.tensor<[#B, #D], f32, whole #T_new>
}

// Documents: their numbers are cached too. Nobody reads the last of these, which
// is kept nevertheless.
// CHECK-LABEL: func.func @documents(
// CHECK-SAME:    %[[TABLE:.*]]: !nax.tensor<[#C, #D], f32>, %[[X:.*]]: !nax.tensor<[#B, #T_new, #D], f32>, %[[D:.*]]: !nax.tensor<[#B, #T_new], i32> {nax.data = #T_new}
// CHECK:         %[[ALL:.*]] = nax.cached %[[D]], %{{.*}} span
// CHECK-SAME:      -> !nax.tensor<[#B, #ReadT_new], i32>
// CHECK:         %[[AT:.*]] = nax.positions %{{.*}} documents %[[D]] cached %[[ALL]] along #T_new
// CHECK:         nax.same_document %[[D]] cached %[[ALL]] of #T_new
// CHECK:         nax.embed_positions %[[X]], %[[TABLE]] data %[[AT]] along #T_new
// CHECK:         nax.cached
func.func @documents(
    %table: !nax.tensor<[#C, #D], f32>, %x: !nax.tensor<[#B, #T_new, #D], f32>,
    %d: !nax.tensor<[#B, #T_new], i32> {nax.data = #T_new},
    %span: !nax.tensor<[#B, #T_span], i32>,
    %kept: !nax.tensor<[#B, #T_cache], i32>, %other: !nax.tensor<[#B, #T_cache, #D], f32>)
    -> (!nax.tensor<[#B, #T_new, #D], f32>, !nax.tensor<[#B, #T_new, #ReadT_new], i1, mask<#T_new, #ReadT_new>>) {
  %c = nax.cached %d, %kept span %span along #T_new : (!nax.tensor<[#B, #T_new], i32>, !nax.tensor<[#B, #T_cache], i32>, !nax.tensor<[#B, #T_span], i32>) -> !nax.tensor<[#B, #ReadT_new], i32>
  %p = nax.positions %span documents %d cached %c along #T_new : (!nax.tensor<[#B, #T_span], i32>, !nax.tensor<[#B, #T_new], i32>, !nax.tensor<[#B, #ReadT_new], i32>) -> !nax.tensor<[#B, #T_new], i32>
  %m = nax.same_document %d cached %c of #T_new : (!nax.tensor<[#B, #T_new], i32>, !nax.tensor<[#B, #ReadT_new], i32>) -> !nax.tensor<[#B, #T_new, #ReadT_new], i1, mask<#T_new, #ReadT_new>>
  %y = nax.embed_positions %x, %table data %p along #T_new : (!nax.tensor<[#B, #T_new, #D], f32>, !nax.tensor<[#C, #D], f32>, !nax.tensor<[#B, #T_new], i32>) -> !nax.tensor<[#B, #T_new, #D], f32>
  %unread = nax.cached %y, %other span %span along #T_new : (!nax.tensor<[#B, #T_new, #D], f32>, !nax.tensor<[#B, #T_cache, #D], f32>, !nax.tensor<[#B, #T_span], i32>) -> !nax.tensor<[#B, #ReadT_new, #D], f32>
  return %y, %m : !nax.tensor<[#B, #T_new, #D], f32>, !nax.tensor<[#B, #T_new, #ReadT_new], i1, mask<#T_new, #ReadT_new>>
}

// What is computed once, and taken by every step.
// CHECK: func.func private @forward_begin(!nax.tensor<[#B, #C], f32>) -> (!nax.tensor<[#B, #D], f32> {nax.cache = {fixed, index = 0 : i64}}) attributes {nax.begin = "forward", nax.entry}
// CHECK: func.func private @forward() attributes {nax.decode, nax.entry}
func.func private @forward_begin(!nax.tensor<[#B, #C], f32>) -> (!nax.tensor<[#B, #D], f32> {nax.cache = {index = 0, fixed}}) attributes {nax.entry, nax.begin = "forward"}
func.func private @forward() attributes {nax.entry, nax.decode}
