// The step of an entry: T' for T, caches for what is read, positions and spans
// for what counts and looks.
// RUN: nax-opt %s --split-input-file --nax-derive-decode | FileCheck %s
// What is derived verifies, is causal, fuses as the entry does; and is not
// derived twice.
// RUN: nax-opt %s --split-input-file --nax-derive-decode --nax-derive-decode --nax-check-attention --nax-check-causality --nax-fuse-attention | FileCheck %s --check-prefix=AGAIN

#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal, ragged>
#S = #nax.axis<read #T>
#rope = #nax.rope<base = 1.0e4, pairing = halves, scaling = 1.0, dims = 0>
!x = !nax.tensor<[#B, #T, #D], f32>
!k = !nax.tensor<[#B, #S, #D], f32>
!n = !nax.tensor<[#B], i32>
!rx = !nax.tensor<[#B, #T, #D], f32, rotated<#T, #D, #rope>>
!rk = !nax.tensor<[#B, #S, #D], f32, rotated<#S, #D, #rope>>
!s = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S>>
!m = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S, masked, causally>>
!w = !nax.tensor<[#B, #T, #S], f32, weights<#S>>

// The entry stays; lengths are gone, the keys are cached rotated; the values as
// they are before, whatever is done to them after they are read.
// CHECK-DAG:   #T = #nax.axis<"T", causal, ragged>
// CHECK-DAG:   #T_new = #nax.axis<"T", causal, continued>
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    attributes {nax.decode, nax.entry}
// CHECK-NOT:     T_new
// CHECK-LABEL: func.func @forward_step(
// CHECK-SAME:    %[[X:[^:]*]]: !nax.tensor<[#B, #T_new, #D], f32> {nax.name = "x"},
// CHECK-SAME:    %[[SPAN:[^:]*]]: !nax.tensor<[#B, #T_span], i32> {nax.name = "T_lengths", nax.span = #T_new},
// CHECK-SAME:    %[[KEYS:[^:]*]]: !nax.tensor<[#B, #T_cache, #D], f32> {nax.cache = {index = 0 : i64}, nax.name = "cache.0"},
// CHECK-SAME:    %[[VALUES:[^:]*]]: !nax.tensor<[#B, #T_cache, #D], f32> {nax.cache = {index = 1 : i64}, nax.name = "cache.1"})
// CHECK-SAME:    -> (!nax.tensor<[#B, #D], f32, whole #T_new> {nax.name = "y"}) attributes {nax.entry, nax.step = "forward"}
// CHECK:         %[[AT:.*]] = nax.positions %[[SPAN]] along #T_new
// CHECK:         %[[Q:.*]] = nax.rope %[[X]] data %[[AT]] positions #T_new
// CHECK:         %[[K:.*]] = nax.cached %[[Q]], %[[KEYS]] span %[[SPAN]] along #T_new
// CHECK:         %[[S:.*]] = nax.scores %[[Q]], %[[K]] over #D scale 5.000000e-01
// CHECK:         %[[M:.*]] = nax.causal_mask %[[S]]
// CHECK:         %[[W:.*]] = nax.softmax %[[M]] data %[[SPAN]] along #ReadT_new
// CHECK:         %[[BEFORE:.*]] = nax.silu %[[X]]
// CHECK:         %[[V:.*]] = nax.cached %[[BEFORE]], %[[VALUES]] span %[[SPAN]] along #T_new
// CHECK:         %[[O:.*]] = nax.dot %[[W]], %[[V]] over [#ReadT_new]
// CHECK:         %[[Y:.*]] = nax.last %[[O]] data %[[SPAN]] of #T_new
// CHECK:         return %[[Y]]
// AGAIN-LABEL: func.func @forward_step(
// AGAIN:         nax.attention %{{.*}} data %{{.*}} over #D along #ReadT_new scale 5.000000e-01 causal
// AGAIN-NOT:     func.func @forward_step
func.func @forward(%x: !x {nax.name = "x"}, %n: !n {nax.name = "T_lengths", nax.data = #T})
    -> (!nax.tensor<[#B, #D], f32, whole #T> {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  %q = nax.rope %x positions #T features #D by #rope : (!x) -> !rx
  %k = nax.read %q along #T : (!rx) -> !rk
  %s = nax.scores %q, %k over #D scale 0.5 : (!rx, !rk) -> !s
  %m = nax.causal_mask %s : (!s) -> !m
  %w = nax.softmax %m data %n along #S : (!m, !n) -> !w
  %r = nax.read %x along #T : (!x) -> !k
  %v = nax.silu %r : !k
  %o = nax.dot %w, %v over [#S] : (!w, !k) -> !x
  %y = nax.last %o data %n of #T : (!x, !n) -> !nax.tensor<[#B, #D], f32, whole #T>
  return %y : !nax.tensor<[#B, #D], f32, whole #T>
}

// CHECK-LABEL: func.func @not_asked_for(
// CHECK-NOT:   func.func @not_asked_for_step
func.func @not_asked_for(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry} {
  return %x : !x
}

// -----

// Rings. Where a window is all that may be read, only as much is kept.
#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
!x = !nax.tensor<[#B, #T, #D], f32>
!k = !nax.tensor<[#B, #S, #D], f32>
!s = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S>>
!c = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S, masked, causally>>
!w = !nax.tensor<[#B, #T, #S], f32, weights<#S>>
!m = !nax.tensor<[#T, #S], i1, mask<#T, #S>>
!e = !nax.tensor<[#S], i1, mask<every, #S>>

// Two windows of what shares its values: the wider. One value read twice has one
// cache.
// CHECK-LABEL: func.func @windows_step(
// CHECK-SAME:    i32> {nax.name = "T_lengths"
// CHECK-SAME:    !nax.tensor<[#B, #T_ring8_, #D], f32> {nax.cache = {index = 0 : i64, ring = 8 : i64}, nax.name = "cache.0"})
func.func @windows(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}, !x {nax.name = "z"}) attributes {nax.entry, nax.decode} {
  %k = nax.read %x along #T : (!x) -> !k
  %s = nax.scores %x, %k over #D scale 0.5 : (!x, !k) -> !s
  %c = nax.causal_mask %s : (!s) -> !c
  %narrow = nax.window of #T size 5 : !m
  %wide = nax.window of #T size 8 : !m
  %first = nax.mask %c, %narrow : (!c, !m) -> !c
  %both = nax.mask_and %wide, %narrow : (!m, !m) -> !m
  %not_narrow = nax.mask_or %both, %wide : (!m, !m) -> !m
  %second = nax.mask %c, %wide : (!c, !m) -> !c
  %third = nax.mask %second, %not_narrow : (!c, !m) -> !c
  %w1 = nax.softmax %first along #S : (!c) -> !w
  %w2 = nax.softmax %third along #S : (!c) -> !w
  %v = nax.read %x along #T : (!x) -> !k
  %y = nax.dot %w1, %v over [#S] : (!w, !k) -> !x
  %z = nax.dot %w2, %k over [#S] : (!w, !k) -> !x
  return %y, %z : !x, !x
}

// The first positions may always be read, so nothing is forgotten.
// CHECK-LABEL: func.func @sinks_step(
// CHECK-SAME:    !nax.tensor<[#B, #T_cache, #D], f32> {nax.cache = {index = 0 : i64}, nax.name = "cache.0"})
func.func @sinks(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  %k = nax.read %x along #T : (!x) -> !k
  %s = nax.scores %x, %k over #D scale 0.5 : (!x, !k) -> !s
  %c = nax.causal_mask %s : (!s) -> !c
  %window = nax.window of #T size 5 : !m
  %sink = nax.prefix of #T size 2 : !e
  %either = nax.mask_or %window, %sink : (!m, !e) -> !m
  %m = nax.mask %c, %either : (!c, !m) -> !c
  %w = nax.softmax %m along #S : (!c) -> !w
  %y = nax.dot %w, %k over [#S] : (!w, !k) -> !x
  return %y : !x
}

// Keys of a layer with a window are the values of one without.
// CHECK-LABEL: func.func @shared_step(
// CHECK-SAME:    !nax.tensor<[#B, #T_cache, #D], f32> {nax.cache = {index = 0 : i64}, nax.name = "cache.0"})
func.func @shared(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  %k = nax.read %x along #T : (!x) -> !k
  %s = nax.scores %x, %k over #D scale 0.5 : (!x, !k) -> !s
  %c = nax.causal_mask %s : (!s) -> !c
  %window = nax.window of #T size 5 : !m
  %m = nax.mask %c, %window : (!c, !m) -> !c
  %w1 = nax.softmax %m along #S : (!c) -> !w
  %w2 = nax.softmax %c along #S : (!c) -> !w
  %y = nax.dot %w1, %k over [#S] : (!w, !k) -> !x
  %z = nax.dot %w2, %k over [#S] : (!w, !k) -> !x
  %a = nax.add %y, %z : (!x, !x) -> !x
  return %a : !x
}

// -----

// Documents: their cache is the first; they restart positions and become a mask.
#B = #nax.axis<"B">
#H = #nax.axis<"H", 2>
#D = #nax.axis<"D", 4>
#P = #nax.axis<"P", 32>
#T = #nax.axis<"T", causal, packed, 32>
#S = #nax.axis<read #T>
!d = !nax.tensor<[#B, #T], i32>
!x = !nax.tensor<[#B, #D, #T, #H], f32>
!k = !nax.tensor<[#B, #D, #S, #H], f32>
!s = !nax.tensor<[#B, #T, #H, #S], f32, scores<#T, #S>>
!c = !nax.tensor<[#B, #T, #H, #S], f32, scores<#T, #S, masked, causally>>
!w = !nax.tensor<[#B, #T, #H, #S], f32, weights<#S>>
!ids = !nax.tensor<[#B, #T], i32, ids<#P>>

// Slots are behind the rows, what is matched is last. Documents are counted
// from their begin, so no window makes a ring.
// CHECK-LABEL: func.func @forward_step(
// CHECK-SAME:    %[[IDS:[^:]*]]: !nax.tensor<[#B, #T_new], i32, ids<#P>> {nax.name = "ids"},
// CHECK-SAME:    %[[D:[^:]*]]: !nax.tensor<[#B, #T_new], i32> {nax.data = #T_new, nax.name = "T_documents"},
// CHECK-SAME:    %[[SPAN:[^:]*]]: !nax.tensor<[#B, #T_span], i32>
// CHECK-SAME:    %[[KEPT:[^:]*]]: !nax.tensor<[#B, #T_cache], i32> {nax.cache = {index = 0 : i64}, nax.name = "cache.0"},
// CHECK-SAME:    %[[KEYS:[^:]*]]: !nax.tensor<[#B, #T_cache, #H, #D], f32> {nax.cache = {index = 1 : i64}, nax.name = "cache.1"})
// CHECK:         %[[ALL:.*]] = nax.cached %[[D]], %[[KEPT]] span %[[SPAN]] along #T_new
// CHECK:         %[[AT:.*]] = nax.positions %[[SPAN]] documents %[[D]] cached %[[ALL]] along #T_new
// CHECK:         nax.embed_positions %{{.*}}, %{{.*}} data %[[AT]] along #T_new
// CHECK:         nax.cached %{{.*}}, %[[KEYS]] span
// CHECK-SAME:      (!nax.tensor<[#B, #D, #T_new, #H], f32>, !nax.tensor<[#B, #T_cache, #H, #D], f32>,
// CHECK:         %[[M:.*]] = nax.mask
// CHECK:         %[[SAME:.*]] = nax.same_document %[[D]] cached %[[ALL]] of #T_new
// CHECK:         %[[BOTH:.*]] = nax.mask %[[M]], %[[SAME]]
// CHECK:         nax.softmax %[[BOTH]] data %[[SPAN]] along #ReadT_new
// AGAIN-LABEL: func.func @forward_step(
// AGAIN:         nax.attention %{{.*}} mask %{{.*}} data %{{.*}} causal
func.func @forward(%ids: !ids {nax.name = "ids"}, %d: !d {nax.name = "T_documents", nax.data = #T}) -> (!nax.tensor<[#B, #T, #H, #D], f32> {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  %table = nax.param "table" : !nax.tensor<[#P, #D, #H], f32>
  %e = nax.embed %ids, %table from #P : (!ids, !nax.tensor<[#P, #D, #H], f32>) -> !x
  %x = nax.embed_positions %e, %table data %d along #T : (!x, !nax.tensor<[#P, #D, #H], f32>, !d) -> !x
  %k = nax.read %x along #T : (!x) -> !k
  %s = nax.scores %x, %k over #D scale 0.5 : (!x, !k) -> !s
  %c = nax.causal_mask %s : (!s) -> !c
  %window = nax.window of #T size 6 : !nax.tensor<[#T, #S], i1, mask<#T, #S>>
  %m = nax.mask %c, %window : (!c, !nax.tensor<[#T, #S], i1, mask<#T, #S>>) -> !c
  %w = nax.softmax %m data %d along #S : (!c, !d) -> !w
  %y = nax.dot %w, %k over [#S] : (!w, !k) -> !nax.tensor<[#B, #T, #H, #D], f32>
  return %y : !nax.tensor<[#B, #T, #H, #D], f32>
}
