// A repeated block has its step once; each call of it has caches of its own.
// What all steps share is computed once, before.
// RUN: nax-opt %s --split-input-file --nax-derive-decode | FileCheck %s
// RUN: nax-opt %s --split-input-file --nax-derive-decode --nax-check-causality --nax-fuse-attention -o %t

#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal, left_padded>
#S = #nax.axis<read #T>
#rope = #nax.rope<base = 1.0e4, pairing = halves, scaling = 1.0, dims = 0>
!x = !nax.tensor<[#B, #T, #D], f32>
!k = !nax.tensor<[#B, #S, #D], f32>
!n = !nax.tensor<[#B], i32>
!g = !nax.tensor<[#D], f32>
!rx = !nax.tensor<[#B, #T, #D], f32, rotated<#T, #D, #rope>>
!rk = !nax.tensor<[#B, #S, #D], f32, rotated<#S, #D, #rope>>
!s = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S>>
!m = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S, masked, causally>>
!w = !nax.tensor<[#B, #T, #S], f32, weights<#S>>

// Span, positions, then caches come after what the block had, less the starts.
// CHECK-LABEL: func.func private @Block_step(
// CHECK-SAME:    %[[X:[^:]*]]: !nax.tensor<[#B, #T_new, #D], f32>,
// CHECK-SAME:    %{{[^:]*}}: !nax.tensor<[#D], f32> {nax.param},
// CHECK-SAME:    %[[SPAN:[^:]*]]: !nax.tensor<[#B, #T_span], i32>,
// CHECK-SAME:    %[[AT:[^:]*]]: !nax.tensor<[#B, #T_new], i32>,
// CHECK-SAME:    %[[KEYS:[^:]*]]: !nax.tensor<[#B, #T_ring6_, #D], f32>,
// CHECK-SAME:    %[[VALUES:[^:]*]]: !nax.tensor<[#B, #T_ring6_, #D], f32>) -> !nax.tensor<[#B, #T_new, #D], f32>
// CHECK-NOT:     nax.positions
// CHECK:         nax.rope %{{.*}} data %[[AT]]
// CHECK:         nax.cached %{{.*}}, %[[KEYS]] span %[[SPAN]]
// CHECK:         nax.cached %{{.*}}, %[[VALUES]] span %[[SPAN]]
// CHECK-NOT:   @Block_step_
func.func private @Block(%x: !x, %g: !g {nax.param}, %n: !n) -> !x {
  %y = nax.mul %x, %g : (!x, !g) -> !x
  %q = nax.rope %y data %n positions #T features #D by #rope : (!x, !n) -> !rx
  %k = nax.read %q along #T : (!rx) -> !rk
  %s = nax.scores %q, %k over #D scale 0.5 : (!rx, !rk) -> !s
  %c = nax.causal_mask %s : (!s) -> !m
  %window = nax.window of #T size 6 : !nax.tensor<[#T, #S], i1, mask<#T, #S>>
  %m = nax.mask %c, %window : (!m, !nax.tensor<[#T, #S], i1, mask<#T, #S>>) -> !m
  %w = nax.softmax %m data %n along #S : (!m, !n) -> !w
  %v = nax.read %x along #T : (!x) -> !k
  %o = nax.dot %w, %v over [#S] : (!w, !k) -> !x
  return %o : !x
}

// CHECK-LABEL: func.func @forward(
// CHECK:         call @Block(
// CHECK-LABEL: func.func @forward_step(
// CHECK-SAME:    %[[X:[^:]*]]: !nax.tensor<[#B, #T_new, #D], f32> {nax.name = "x"},
// CHECK-SAME:    %[[SPAN:[^:]*]]: !nax.tensor<[#B, #T_span], i32>
// CHECK-SAME:    %[[C0:[^:]*]]: !nax.tensor<[#B, #T_ring6_, #D], f32> {nax.cache = {index = 0 : i64, ring = 6 : i64}
// CHECK-SAME:    %[[C1:[^:]*]]: {{.*}} {nax.cache = {index = 1 : i64, ring = 6 : i64}
// CHECK-SAME:    %[[C2:[^:]*]]: {{.*}} {nax.cache = {index = 2 : i64, ring = 6 : i64}
// CHECK-SAME:    %[[C3:[^:]*]]: {{.*}} {nax.cache = {index = 3 : i64, ring = 6 : i64}, nax.name = "cache.3"})
// CHECK:         %[[AT:.*]] = nax.positions %[[SPAN]] along #T_new
// CHECK:         %[[Y:.*]] = call @Block_step(%[[X]], %{{.*}}, %[[SPAN]], %[[AT]], %[[C0]], %[[C1]])
// CHECK:         call @Block_step(%[[Y]], %{{.*}}, %[[SPAN]], %[[AT]], %[[C2]], %[[C3]])
func.func @forward(%x: !x {nax.name = "x"}, %n: !n {nax.name = "T_starts", nax.data = #T}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  %g0 = nax.param "layers.0.gain" : !g
  %g1 = nax.param "layers.1.gain" : !g
  %y = func.call @Block(%x, %g0, %n) : (!x, !g, !n) -> !x
  %z = func.call @Block(%y, %g1, %n) : (!x, !g, !n) -> !x
  return %z : !x
}

// -----

#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal>
#E = #nax.axis<"E", positions, ragged>
#R = #nax.axis<read #E>
#V = #nax.axis<"V", 16>
!x = !nax.tensor<[#B, #T, #D], f32>
!e = !nax.tensor<[#E, #B, #D], f32>
!k = !nax.tensor<[#B, #R, #D], f32>
!n = !nax.tensor<[#B], i32>
!g = !nax.tensor<[#D], f32>
!s = !nax.tensor<[#B, #T, #R], f32, scores<#T, #R>>
!w = !nax.tensor<[#B, #T, #R], f32, weights<#R>>

// Keys of another sequence: both layers' are computed once, the lengths are
// handed on, and what has other axes first is turned. (The blocks that took it
// are inlined.)
// CHECK-LABEL: func.func @forward_begin(
// CHECK-SAME:    %[[E:[^:]*]]: !nax.tensor<[#E, #B, #D], f32> {nax.name = "e"},
// CHECK-SAME:    %[[N:[^:]*]]: !nax.tensor<[#B], i32> {nax.data = #E, nax.name = "E_lengths"})
// CHECK-SAME:    -> (!nax.tensor<[#B, #ReadE, #D], f32> {nax.cache = {fixed, index = 0 : i64}, nax.name = "cache.0"},
// CHECK-SAME:        !nax.tensor<[#B], i32> {nax.cache = {fixed, index = 1 : i64}, nax.data = #E, nax.name = "cache.1"},
// CHECK-SAME:        !nax.tensor<[#B, #ReadE, #D], f32> {nax.cache = {fixed, index = 2 : i64}
// CHECK-SAME:        !nax.tensor<[#B, #E, #D], f32> {nax.cache = {fixed, index = 3 : i64}
// CHECK-SAME:    attributes {nax.begin = "forward", nax.entry}
// CHECK:         nax.mul %[[E]]
// CHECK:         %[[K0:.*]] = nax.read
// CHECK:         nax.mul %[[E]]
// CHECK:         %[[K1:.*]] = nax.read
// CHECK:         %[[TURNED:.*]] = nax.cast %[[E]] : (!nax.tensor<[#E, #B, #D], f32>) -> !nax.tensor<[#B, #E, #D], f32>
// CHECK:         return %[[K0]], %[[N]], %[[K1]], %[[TURNED]]
// CHECK-LABEL: func.func @forward_step(
// CHECK-SAME:    %[[X:[^:]*]]: !nax.tensor<[#B, #T_new, #D], f32> {nax.name = "x"}, %{{.*}}: !nax.tensor<[#B, #T_span], i32>
// CHECK-SAME:    %[[K0:[^:]*]]: !nax.tensor<[#B, #ReadE, #D], f32> {nax.cache = {fixed, index = 0 : i64}, nax.name = "cache.0"},
// CHECK-SAME:    %[[N:[^:]*]]: !nax.tensor<[#B], i32> {nax.cache = {fixed, index = 1 : i64}, nax.data = #E, nax.name = "cache.1"},
// CHECK-SAME:    %[[K1:[^:]*]]: !nax.tensor<[#B, #ReadE, #D], f32>
// CHECK-SAME:    %[[GIVEN:[^:]*]]: !nax.tensor<[#B, #E, #D], f32>
// CHECK-NOT:     nax.mul
// CHECK:         %[[S:.*]] = nax.scores %[[X]], %[[K0]]
// CHECK:         nax.softmax %[[S]] data %[[N]] along #ReadE
// CHECK:         %[[BACK:.*]] = nax.cast %[[GIVEN]]
// CHECK:         return %{{.*}}, %[[BACK]]
func.func private @Cross(%x: !x, %g: !g {nax.param}, %e: !e, %n: !n) -> !x {
  %y = nax.mul %e, %g : (!e, !g) -> !e
  %k = nax.read %y along #E : (!e) -> !k
  %s = nax.scores %x, %k over #D scale 0.5 : (!x, !k) -> !s
  %w = nax.softmax %s data %n along #R : (!s, !n) -> !w
  %o = nax.dot %w, %k over [#R] : (!w, !k) -> !x
  return %o : !x
}
func.func @forward(%x: !x {nax.name = "x"}, %e: !e {nax.name = "e"}, %unused: !n {nax.name = "unused"}, %n: !n {nax.name = "E_lengths", nax.data = #E})
    -> (!x {nax.name = "y"}, !e {nax.name = "same"}) attributes {nax.entry, nax.decode} {
  %g0 = nax.param "layers.0.gain" : !g
  %g1 = nax.param "layers.1.gain" : !g
  %y = func.call @Cross(%x, %g0, %e, %n) : (!x, !g, !e, !n) -> !x
  %z = func.call @Cross(%y, %g1, %e, %n) : (!x, !g, !e, !n) -> !x
  return %z, %e : !x, !e
}

// What is made of parameters alone is made in each step.
// CHECK-LABEL: func.func @constant_step(
// CHECK-NOT:     fixed
// CHECK:         nax.param "gain"
// CHECK:         nax.silu
// CHECK-NOT:   @constant_begin
func.func @constant(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  %g = nax.param "gain" : !g
  %h = nax.silu %g : !g
  %y = nax.mul %x, %h : (!x, !g) -> !x
  return %y : !x
}

// -----

// One cache for all layers: blocks that take what is read are inlined.
#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
!x = !nax.tensor<[#B, #T, #D], f32>
!k = !nax.tensor<[#B, #S, #D], f32>
!s = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S>>
!m = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S, masked, causally>>
!w = !nax.tensor<[#B, #T, #S], f32, weights<#S>>

// CHECK-LABEL: func.func @forward_step(
// CHECK-SAME:    %[[X:[^:]*]]: !nax.tensor<[#B, #T_new, #D], f32> {nax.name = "x"}
// CHECK-SAME:    %[[C:[^:]*]]: !nax.tensor<[#B, #T_cache, #D], f32> {nax.cache = {index = 0 : i64}, nax.name = "cache.0"}) ->
// CHECK:         %[[K:.*]] = nax.cached %[[X]], %[[C]]
// CHECK:         nax.scores %{{.*}}, %[[K]]
// CHECK-NOT:     nax.cached
// CHECK:         nax.scores %{{.*}}, %[[K]]
func.func private @Block(%x: !x, %k: !k) -> !x {
  %s = nax.scores %x, %k over #D scale 0.5 : (!x, !k) -> !s
  %m = nax.causal_mask %s : (!s) -> !m
  %w = nax.softmax %m along #S : (!m) -> !w
  %o = nax.dot %w, %k over [#S] : (!w, !k) -> !x
  return %o : !x
}
func.func @forward(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  %k = nax.read %x along #T : (!x) -> !k
  %y = func.call @Block(%x, %k) : (!x, !k) -> !x
  %z = func.call @Block(%y, %k) : (!x, !k) -> !x
  return %z : !x
}

// -----

// A block takes documents as it did, and their cache.
#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal, packed>
#S = #nax.axis<read #T>
!d = !nax.tensor<[#B, #T], i32>
!x = !nax.tensor<[#B, #T, #D], f32>
!k = !nax.tensor<[#B, #S, #D], f32>
!s = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S>>
!m = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S, masked, causally>>
!w = !nax.tensor<[#B, #T, #S], f32, weights<#S>>

// CHECK-LABEL: func.func private @Block_step(
// CHECK-SAME:    %{{[^:]*}}: !nax.tensor<[#B, #T_new, #D], f32>, %[[D:[^:]*]]: !nax.tensor<[#B, #T_new], i32>,
// CHECK-SAME:    %[[SPAN:[^:]*]]: !nax.tensor<[#B, #T_span], i32>, %[[KEPT:[^:]*]]: !nax.tensor<[#B, #T_cache], i32>, %{{[^:]*}}: !nax.tensor<[#B, #T_cache, #D], f32>)
// CHECK:         %[[ALL:.*]] = nax.cached %[[D]], %[[KEPT]] span %[[SPAN]]
// CHECK:         nax.same_document %[[D]] cached %[[ALL]]
// CHECK-LABEL: func.func @forward_step(
// CHECK-SAME:    %[[KEPT:[^:]*]]: !nax.tensor<[#B, #T_cache], i32> {nax.cache = {index = 0 : i64}
// CHECK:         call @Block_step(%{{.*}}, %{{.*}}, %{{.*}}, %[[KEPT]], %{{.*}})
// CHECK:         call @Block_step(%{{.*}}, %{{.*}}, %{{.*}}, %[[KEPT]], %{{.*}})
func.func private @Block(%x: !x, %d: !d) -> !x {
  %k = nax.read %x along #T : (!x) -> !k
  %s = nax.scores %x, %k over #D scale 0.5 : (!x, !k) -> !s
  %m = nax.causal_mask %s : (!s) -> !m
  %w = nax.softmax %m data %d along #S : (!m, !d) -> !w
  %o = nax.dot %w, %k over [#S] : (!w, !k) -> !x
  return %o : !x
}
func.func @forward(%x: !x {nax.name = "x"}, %d: !d {nax.name = "T_documents", nax.data = #T}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  %y = func.call @Block(%x, %d) : (!x, !d) -> !x
  %z = func.call @Block(%y, %d) : (!x, !d) -> !x
  return %z : !x
}
