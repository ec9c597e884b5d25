// The lines of softmax, scores and dot all lead to the one operation, that of the
// softmax first, and a mask that is joined has those of the first two.
// RUN: nax-opt %s --nax-fuse-attention --mlir-print-debuginfo | FileCheck %s

#D = #nax.axis<"D", 4>
#P = #nax.axis<"P", positions>
#S = #nax.axis<read #P>
!q = !nax.tensor<[#P, #D], f32>
!k = !nax.tensor<[#S, #D], f32>
!s = !nax.tensor<[#P, #S], f32, scores<#P, #S>>
!m = !nax.tensor<[#P, #S], f32, scores<#P, #S, masked>>
!w = !nax.tensor<[#P, #S], f32, weights<#S>>
!window = !nax.tensor<[#P, #S], i1, mask<#P, #S>>
!prefix = !nax.tensor<[#S], i1, mask<every, #S>>

// CHECK: nax.mask_and {{.*}} loc(#[[MASK:.*]])
// CHECK: nax.attention {{.*}} loc(#[[ALL:.*]])
// CHECK-DAG: #[[SCORES:.*]] = loc("model.cpp":10:5)
// CHECK-DAG: #[[SOFTMAX:.*]] = loc("model.cpp":11:7)
// CHECK-DAG: #[[DOT:.*]] = loc("model.cpp":12:9)
// CHECK-DAG: #[[MASK]] = loc(fused[#[[SOFTMAX]], #[[SCORES]]])
// CHECK-DAG: #[[ALL]] = loc(fused[#[[SOFTMAX]], #[[SCORES]], #[[DOT]]])
func.func @attend(%q: !q, %k: !k) -> !q {
  %window = nax.window of #P size 4 : !window
  %prefix = nax.prefix of #P size 2 : !prefix
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s loc("model.cpp":10:5)
  %m1 = nax.mask %s, %window : (!s, !window) -> !m
  %m2 = nax.mask %m1, %prefix : (!m, !prefix) -> !m
  %w = nax.softmax %m2 along #S : (!m) -> !w loc("model.cpp":11:7)
  %o = nax.dot %w, %k over [#S] : (!w, !k) -> !q loc("model.cpp":12:9)
  return %o : !q
}
