// What is causal is proven so, and the module is left as it is.
// RUN: nax-opt %s --nax-check-causality | FileCheck %s

#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#D = #nax.axis<"D", 4>
#V = #nax.axis<"V", 16>
#T = #nax.axis<"T", causal>
#Z = #nax.axis<"Z", causal, packed>
#ReadZ = #nax.axis<read #Z>
#P = #nax.axis<"P", positions>
#S = #nax.axis<read #T>
#R = #nax.axis<read #P>
#N = #nax.axis<next #T>
!x = !nax.tensor<[#B, #T, #C], f32>
!q = !nax.tensor<[#B, #T, #D], f32>
!k = !nax.tensor<[#B, #S, #D], f32>
!wq = !nax.tensor<[#C, #D], f32>
!s = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S>>
!m = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S, masked, causally>>
!w = !nax.tensor<[#B, #T, #S], f32, weights<#S>>
!ids = !nax.tensor<[#B, #T], i32, ids<#V>>

// A block, called twice, with a loss that looks at labels.
// CHECK-LABEL: func @model(
// CHECK:         nax.causal_mask
func.func @model(%ids: !ids, %table: !nax.tensor<[#V, #C], f32>, %wq: !wq, %wo: !nax.tensor<[#D, #C], f32>)
    -> (!nax.tensor<[#B, #T, #V], f32, logits<#V>>, !nax.tensor<[#B, #T], f32, losses<#T>>, !nax.tensor<[], f32, whole #T>) {
  %x = nax.embed %ids, %table from #V : (!ids, !nax.tensor<[#V, #C], f32>) -> !x
  %x1 = func.call @block(%x, %wq, %wo) : (!x, !wq, !nax.tensor<[#D, #C], f32>) -> !x
  %x2 = func.call @block(%x1, %wq, %wo) : (!x, !wq, !nax.tensor<[#D, #C], f32>) -> !x
  %logits = nax.unembed %x2, %table to #V : (!x, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#B, #T, #V], f32, logits<#V>>
  %next = nax.next %ids along #T : (!ids) -> !nax.tensor<[#B, #N], i32, ids<#V>>
  %losses = nax.cross_entropy %logits, %next over #V : (!nax.tensor<[#B, #T, #V], f32, logits<#V>>, !nax.tensor<[#B, #N], i32, ids<#V>>) -> !nax.tensor<[#B, #T], f32, losses<#T>>
  %mean = nax.mean %losses over [#B, #T] : (!nax.tensor<[#B, #T], f32, losses<#T>>) -> !nax.tensor<[], f32, whole #T>
  return %logits, %losses, %mean : !nax.tensor<[#B, #T, #V], f32, logits<#V>>, !nax.tensor<[#B, #T], f32, losses<#T>>, !nax.tensor<[], f32, whole #T>
}

func.func private @block(%x: !x, %wq: !wq, %wo: !nax.tensor<[#D, #C], f32>) -> !x {
  %q = nax.dot %x, %wq over [#C] : (!x, !wq) -> !q
  %k = nax.read %q along #T : (!q) -> !k
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s
  %m = nax.causal_mask %s : (!s) -> !m
  %w = nax.softmax %m along #S : (!m) -> !w
  %o = nax.dot %w, %k over [#S] : (!w, !k) -> !q
  %y = nax.dot %o, %wo over [#D] : (!q, !nax.tensor<[#D, #C], f32>) -> !x
  %z = nax.add %x, %y : (!x, !x) -> !x
  return %z : !x
}

// The fused form.
// CHECK-LABEL: func @fused(
func.func @fused(%q: !q, %k: !k) -> (!q, !w) {
  %o = nax.attention %q, %k, %k over #D along #S scale 0.5 causal : (!q, !k, !k) -> !q
  %w = nax.attention_weights %q, %k over #D along #S scale 0.5 causal : (!q, !k) -> !w
  return %o, %w : !q, !w
}

// A mask by sections of documents and a bias by pairs, both before the causal mask.
// CHECK-LABEL: func @more_masks(
func.func @more_masks(%q: !nax.tensor<[#B, #Z, #D], f32>, %k: !nax.tensor<[#B, #ReadZ, #D], f32>, %b: !nax.tensor<[#Z, #ReadZ], f32>, %sections: !nax.tensor<[#B, #Z], i32>, %documents: !nax.tensor<[#B, #Z], i32>) -> !nax.tensor<[#B, #D, #Z], f32> {
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#B, #Z, #D], f32>, !nax.tensor<[#B, #ReadZ, #D], f32>) -> !nax.tensor<[#B, #Z, #ReadZ], f32, scores<#Z, #ReadZ>>
  %s1 = nax.bias %s, %b : (!nax.tensor<[#B, #Z, #ReadZ], f32, scores<#Z, #ReadZ>>, !nax.tensor<[#Z, #ReadZ], f32>) -> !nax.tensor<[#B, #Z, #ReadZ], f32, scores<#Z, #ReadZ, biased>>
  %d = nax.same_document %sections of #Z : (!nax.tensor<[#B, #Z], i32>) -> !nax.tensor<[#B, #Z, #ReadZ], i1, mask<#Z, #ReadZ>>
  %s2 = nax.mask %s1, %d : (!nax.tensor<[#B, #Z, #ReadZ], f32, scores<#Z, #ReadZ, biased>>, !nax.tensor<[#B, #Z, #ReadZ], i1, mask<#Z, #ReadZ>>) -> !nax.tensor<[#B, #Z, #ReadZ], f32, scores<#Z, #ReadZ, biased, masked>>
  %s3 = nax.causal_mask %s2 : (!nax.tensor<[#B, #Z, #ReadZ], f32, scores<#Z, #ReadZ, biased, masked>>) -> !nax.tensor<[#B, #Z, #ReadZ], f32, scores<#Z, #ReadZ, biased, masked, causally>>
  %w = nax.softmax %s3 data %documents along #ReadZ : (!nax.tensor<[#B, #Z, #ReadZ], f32, scores<#Z, #ReadZ, biased, masked, causally>>, !nax.tensor<[#B, #Z], i32>) -> !nax.tensor<[#B, #Z, #ReadZ], f32, weights<#ReadZ>>
  %o = nax.dot %k, %w over [#ReadZ] : (!nax.tensor<[#B, #ReadZ, #D], f32>, !nax.tensor<[#B, #Z, #ReadZ], f32, weights<#ReadZ>>) -> !nax.tensor<[#B, #D, #Z], f32>
  %o2 = nax.tanh %o : !nax.tensor<[#B, #D, #Z], f32>
  return %o2 : !nax.tensor<[#B, #D, #Z], f32>
}

// A pooled result is one for the whole sequence, and stands on nothing of it.
// CHECK-LABEL: func @pooled(
func.func @pooled(%x: !x) -> !nax.tensor<[#B, #C], f32, whole #T> {
  %m = nax.mean %x over [#T] : (!x) -> !nax.tensor<[#B, #C], f32, whole #T>
  %y = nax.gelu %m : !nax.tensor<[#B, #C], f32, whole #T>
  return %y : !nax.tensor<[#B, #C], f32, whole #T>
}

// Causal T reads all of P, which has no order; the mean over P may meet T.
// CHECK-LABEL: func @cross(
func.func @cross(%q: !q, %p: !nax.tensor<[#B, #P, #D], f32>) -> !q {
  %k = nax.read %p along #P : (!nax.tensor<[#B, #P, #D], f32>) -> !nax.tensor<[#B, #R, #D], f32>
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !nax.tensor<[#B, #R, #D], f32>) -> !nax.tensor<[#B, #T, #R], f32, scores<#T, #R>>
  %w = nax.softmax %s along #R : (!nax.tensor<[#B, #T, #R], f32, scores<#T, #R>>) -> !nax.tensor<[#B, #T, #R], f32, weights<#R>>
  %o = nax.dot %w, %k over [#R] : (!nax.tensor<[#B, #T, #R], f32, weights<#R>>, !nax.tensor<[#B, #R, #D], f32>) -> !q
  %m = nax.mean %p over [#P] : (!nax.tensor<[#B, #P, #D], f32>) -> !nax.tensor<[#B, #D], f32>
  %y = nax.add %o, %m : (!q, !nax.tensor<[#B, #D], f32>) -> !q
  return %y : !q
}

// Every position may read the first one.
// CHECK-LABEL: func @first(
func.func @first(%x: !x) -> !x {
  %f = nax.first %x of #T : (!x) -> !nax.tensor<[#B, #C], f32>
  %y = nax.add %x, %f : (!x, !nax.tensor<[#B, #C], f32>) -> !x
  return %y : !x
}
