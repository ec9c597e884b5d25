// Scales, matches and biases of published models pass as they are.
// RUN: nax-opt %s --nax-check-attention | FileCheck %s

#B = #nax.axis<"B">
#C = #nax.axis<"C", 64>
#D = #nax.axis<"D", 4>
#F = #nax.axis<"F", 16>
#H = #nax.axis<"H", 16>
#L = #nax.axis<"L", 3>
#X = #nax.axis<"X", 5>
#HD = #nax.axis<"HD" = #H * #D>
#T = #nax.axis<"T", causal>
#P = #nax.axis<"P", positions>
#ReadT = #nax.axis<read #T>
#ReadP = #nax.axis<read #P>
!q = !nax.tensor<[#T, #D], f32>
!k = !nax.tensor<[#ReadT, #D], f32>
!s = !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>

// None (T5), one of its own (Gemma's scalar), 1/D (muP) though that is 1/sqrt(F)
// as well, and 1/sqrt(D) on the query with none in the scores.
// CHECK-LABEL: func.func @scales
func.func @scales(%x: !nax.tensor<[#T, #F], f32>, %w: !nax.tensor<[#F, #D], f32>, %k: !k) -> (!s, !s, !s, !s, !s) {
  %q = nax.dot %x, %w over [#F] : (!nax.tensor<[#T, #F], f32>, !nax.tensor<[#F, #D], f32>) -> !q
  %one = nax.scores %q, %k over #D scale 1.0 : (!q, !k) -> !s
  %own = nax.scores %q, %k over #D scale 0.0771517 : (!q, !k) -> !s
  %school = nax.scores %q, %k over #D scale 0.25 : (!q, !k) -> !s
  %half = nax.scale %q by 0.5 : !q
  %before = nax.scores %half, %k over #D scale 1.0 : (!q, !k) -> !s
  %double = nax.scale %q by 2.0 : !q
  %sharp = nax.scores %double, %k over #D scale 0.5 : (!q, !k) -> !s
  return %one, %own, %school, %before, %sharp : !s, !s, !s, !s, !s
}

// A projection of keys that the query absorbed: the scale is of the D before.
// CHECK-LABEL: func.func @absorbed
func.func @absorbed(%q: !nax.tensor<[#T, #H, #D], f32>, %w: !nax.tensor<[#H, #D, #L], f32>, %k: !nax.tensor<[#ReadT, #L], f32>) -> !nax.tensor<[#T, #H, #ReadT], f32, scores<#T, #ReadT>> {
  %a = nax.dot %q, %w over [#D] : (!nax.tensor<[#T, #H, #D], f32>, !nax.tensor<[#H, #D, #L], f32>) -> !nax.tensor<[#T, #H, #L], f32>
  %s = nax.scores %a, %k over #L scale 0.5 : (!nax.tensor<[#T, #H, #L], f32>, !nax.tensor<[#ReadT, #L], f32>) -> !nax.tensor<[#T, #H, #ReadT], f32, scores<#T, #ReadT>>
  return %s : !nax.tensor<[#T, #H, #ReadT], f32, scores<#T, #ReadT>>
}

// A gate, a match with a temperature, and one whose scale nax.scores gave.
// CHECK-LABEL: func.func @softmaxes
func.func @softmaxes(%x: !nax.tensor<[#T, #C], f32>, %w: !nax.tensor<[#C, #X], f32>, %q: !q, %k: !nax.tensor<[#P, #D], f32>, %r: !nax.tensor<[#ReadP, #D], f32>)
    -> (!nax.tensor<[#T, #X], f32, weights<#X>>, !nax.tensor<[#T, #P], f32, weights<#P>>, !nax.tensor<[#T, #ReadP], f32, weights<#ReadP>>) {
  %g = nax.dot %x, %w over [#C] : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#C, #X], f32>) -> !nax.tensor<[#T, #X], f32>
  %gate = nax.softmax %g along #X : (!nax.tensor<[#T, #X], f32>) -> !nax.tensor<[#T, #X], f32, weights<#X>>
  %m = nax.dot %q, %k over [#D] : (!q, !nax.tensor<[#P, #D], f32>) -> !nax.tensor<[#T, #P], f32>
  %t = nax.scale %m by 0.1 : !nax.tensor<[#T, #P], f32>
  %warm = nax.softmax %t along #P : (!nax.tensor<[#T, #P], f32>) -> !nax.tensor<[#T, #P], f32, weights<#P>>
  %s = nax.scores %q, %r over #D scale 1.0 : (!q, !nax.tensor<[#ReadP, #D], f32>) -> !nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP>>
  // CHECK: nax.values %{{.*}} : (!nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP>>)
  %n = nax.values %s : (!nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP>>) -> !nax.tensor<[#T, #ReadP], f32>
  %plain = nax.softmax %n along #ReadP : (!nax.tensor<[#T, #ReadP], f32>) -> !nax.tensor<[#T, #ReadP], f32, weights<#ReadP>>
  return %gate, %warm, %plain : !nax.tensor<[#T, #X], f32, weights<#X>>, !nax.tensor<[#T, #P], f32, weights<#P>>, !nax.tensor<[#T, #ReadP], f32, weights<#ReadP>>
}

// A flag that counts for a little is a bias.
// CHECK-LABEL: func.func @flags
func.func @flags(%s: !s, %m: !nax.tensor<[#ReadT], i1>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, biased>> {
  %f = nax.cast %m : (!nax.tensor<[#ReadT], i1>) -> !nax.tensor<[#ReadT], f32>
  %b = nax.scale %f by 2.0 : !nax.tensor<[#ReadT], f32>
  %r = nax.bias %s, %b : (!s, !nax.tensor<[#ReadT], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, biased>>
  return %r : !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, biased>>
}
