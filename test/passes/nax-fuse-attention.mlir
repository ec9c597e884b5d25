// Scores, masks, softmax and dot become one nax.attention.
// RUN: nax-opt %s --nax-fuse-attention --split-input-file | FileCheck %s

#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#G = #nax.axis<"G", 2>
#K = #nax.axis<"K", 3>
#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
!q = !nax.tensor<[#B, #T, #K, #G, #D], f32>
!k = !nax.tensor<[#B, #S, #K, #D], f32>
!s = !nax.tensor<[#B, #T, #K, #G, #S], f32, scores<#T, #S>>
!m = !nax.tensor<[#B, #T, #K, #G, #S], f32, scores<#T, #S, masked, causally>>
!w = !nax.tensor<[#B, #T, #K, #G, #S], f32, weights<#S>>

// CHECK-LABEL: func @causal(
// CHECK-SAME:    %[[Q:[^:]*]]: {{.*}}, %[[K:[^:]*]]: {{.*}}, %[[V:[^:]*]]: {{.*}})
// CHECK-NEXT:    %[[O:.*]] = nax.attention %[[Q]], %[[K]], %[[V]] over #D along #ReadT scale 5.000000e-01 causal
// CHECK-NEXT:    return %[[O]]
func.func @causal(%q: !q, %k: !k, %v: !k) -> !q {
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s
  %m = nax.causal_mask %s : (!s) -> !m
  %w = nax.softmax %m along #S : (!m) -> !w
  %o = nax.dot %w, %v over [#S] : (!w, !k) -> !q
  return %o : !q
}

// The values may come first, and then order the result's axes.
// CHECK-LABEL: func @values_first(
// CHECK-SAME:    %[[Q:[^:]*]]: {{.*}}, %[[K:[^:]*]]: {{.*}}, %[[V:[^:]*]]: {{.*}})
// CHECK-NEXT:    nax.attention %[[Q]], %[[K]], %[[V]] {{.*}} -> !nax.tensor<[#B, #K, #D, #T, #G], f32>
// CHECK-NEXT:    return
func.func @values_first(%q: !q, %k: !k, %v: !k) -> !nax.tensor<[#B, #K, #D, #T, #G], f32> {
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s
  %m = nax.causal_mask %s : (!s) -> !m
  %w = nax.softmax %m along #S : (!m) -> !w
  %o = nax.dot %v, %w over [#S] : (!k, !w) -> !nax.tensor<[#B, #K, #D, #T, #G], f32>
  return %o : !nax.tensor<[#B, #K, #D, #T, #G], f32>
}

// -----

#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#H = #nax.axis<"H", 2>
#T = #nax.axis<"T", causal, ragged>
#S = #nax.axis<read #T>
!q = !nax.tensor<[#B, #T, #H, #D], f32>
!k = !nax.tensor<[#B, #S, #H, #D], f32>
!h = !nax.tensor<[#H], f32>
!lengths = !nax.tensor<[#B], i32>
!window = !nax.tensor<[#T, #S], i1, mask<#T, #S>>
!padding = !nax.tensor<[#B, #S], i1, mask<every, #S>>
!s = !nax.tensor<[#B, #T, #H, #S], f32, scores<#T, #S>>
!s1 = !nax.tensor<[#B, #T, #H, #S], f32, scores<#T, #S, capped>>
!s2 = !nax.tensor<[#B, #T, #H, #S], f32, scores<#T, #S, capped, biased>>
!s3 = !nax.tensor<[#B, #T, #H, #S], f32, scores<#T, #S, capped, biased, masked>>
!s4 = !nax.tensor<[#B, #T, #H, #S], f32, scores<#T, #S, capped, biased, masked, causally>>
!a1 = !nax.tensor<[#B, #T, #H, #S], f32, scores<#T, #S, biased>>
!a2 = !nax.tensor<[#B, #T, #H, #S], f32, scores<#T, #S, biased, masked, causally>>
!w = !nax.tensor<[#B, #T, #H, #S], f32, weights<#S>>

// Everything at once: two masks become a conjunction.
// CHECK-LABEL: func @all(
// CHECK-SAME:    %[[Q:[^:]*]]: {{.*}}, %[[K:[^:]*]]: {{.*}}, %[[V:[^:]*]]: {{.*}}, %[[H:[^:]*]]: {{.*}}, %[[L:[^:]*]]: {{.*}})
// CHECK-DAG:     %[[PADDING:.*]] = nax.shorter_than %[[L]]
// CHECK-DAG:     %[[WINDOW:.*]] = nax.window
// CHECK-DAG:     %[[MASK:.*]] = nax.mask_and %[[PADDING]], %[[WINDOW]] : {{.*}} -> !nax.tensor<[#B, #ReadT, #T], i1, mask<#T, #ReadT>>
// CHECK:         nax.attention %[[Q]], %[[K]], %[[V]] bias %[[H]] mask %[[MASK]] data %[[L]]
// CHECK-SAME:      scale 5.000000e-01 cap 2.000000e+01 causal
// CHECK-NEXT:    return
func.func @all(%q: !q, %k: !k, %v: !k, %h: !h, %lengths: !lengths) -> !q {
  %padding = nax.shorter_than %lengths of #T : (!lengths) -> !padding
  %window = nax.window of #T size 4 : !window
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s
  %s1 = nax.softcap %s at 20.0 : (!s) -> !s1
  %s2 = nax.bias %s1, %h : (!s1, !h) -> !s2
  %s5 = nax.mask %s2, %padding : (!s2, !padding) -> !s3
  %s6 = nax.causal_mask %s5 : (!s3) -> !s4
  %s7 = nax.mask %s6, %window : (!s4, !window) -> !s4
  %w = nax.softmax %s7 data %lengths along #S : (!s4, !lengths) -> !w
  %o = nax.dot %w, %v over [#S] : (!w, !k) -> !q
  return %o : !q
}

// CHECK-LABEL: func @alibi(
// CHECK-NEXT:    nax.attention %{{.*}}, %{{.*}}, %{{.*}} data %{{.*}} over #D along #ReadT scale 5.000000e-01 alibi [#H] causal
func.func @alibi(%q: !q, %k: !k, %v: !k, %lengths: !lengths) -> !q {
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s
  %s1 = nax.alibi %s heads [#H] : (!s) -> !a1
  %s2 = nax.causal_mask %s1 : (!a1) -> !a2
  %w = nax.softmax %s2 data %lengths along #S : (!a2, !lengths) -> !w
  %o = nax.dot %w, %v over [#S] : (!w, !k) -> !q
  return %o : !q
}

// -----

#D = #nax.axis<"D", 4>
#P = #nax.axis<"P", positions>
#S = #nax.axis<read #P>
!q = !nax.tensor<[#P, #D], f32>
!k = !nax.tensor<[#S, #D], f32>
!s = !nax.tensor<[#P, #S], f32, scores<#P, #S>>
!w = !nax.tensor<[#P, #S], f32, weights<#S>>

// Weights that the model asks for are made apart, once; two sets of values are
// two attentions.
// CHECK-LABEL: func @shared(
// CHECK-SAME:    %[[Q:[^:]*]]: {{.*}}, %[[K:[^:]*]]: {{.*}}, %[[V:[^:]*]]: {{.*}})
// CHECK-NEXT:    %[[W:.*]] = nax.attention_weights %[[Q]], %[[K]] over #D along #ReadP scale 5.000000e-01 :
// CHECK-NEXT:    %[[O1:.*]] = nax.attention %[[Q]], %[[K]], %[[V]] over
// CHECK-NEXT:    %[[O2:.*]] = nax.attention %[[Q]], %[[K]], %[[K]] over
// CHECK-NEXT:    %[[N:.*]] = nax.values %[[W]]
// CHECK-NEXT:    return %[[W]], %[[O1]], %[[O2]], %[[N]]
func.func @shared(%q: !q, %k: !k, %v: !k) -> (!w, !q, !q, !nax.tensor<[#P, #S], f32>) {
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s
  %w = nax.softmax %s along #S : (!s) -> !w
  %o1 = nax.dot %w, %v over [#S] : (!w, !k) -> !q
  %o2 = nax.dot %w, %k over [#S] : (!w, !k) -> !q
  %n = nax.values %w : (!w) -> !nax.tensor<[#P, #S], f32>
  return %w, %o1, %o2, %n : !w, !q, !q, !nax.tensor<[#P, #S], f32>
}

// Two softmaxes of the same scores.
// CHECK-LABEL: func @scores_used_twice(
// CHECK-NEXT:    nax.attention %{{.*}}, %{{.*}}, %{{.*}} over
// CHECK-NEXT:    nax.attention %{{.*}}, %{{.*}}, %{{.*}} over
// CHECK-NEXT:    return
func.func @scores_used_twice(%q: !q, %k: !k, %v: !k) -> (!q, !q) {
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s
  %w1 = nax.softmax %s along #S : (!s) -> !w
  %w2 = nax.softmax %s along #S : (!s) -> !w
  %o1 = nax.dot %w1, %v over [#S] : (!w, !k) -> !q
  %o2 = nax.dot %w2, %k over [#S] : (!w, !k) -> !q
  return %o1, %o2 : !q, !q
}

// Values that differ with the position that asks stay apart.
// CHECK-LABEL: func @own_values(
// CHECK-NEXT:    %[[W:.*]] = nax.attention_weights
// CHECK-NEXT:    nax.dot %[[W]], %{{.*}} over [#ReadP]
func.func @own_values(%q: !q, %k: !k, %v: !nax.tensor<[#P, #S, #D], f32>) -> !q {
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s
  %w = nax.softmax %s along #S : (!s) -> !w
  %o = nax.dot %w, %v over [#S] : (!w, !nax.tensor<[#P, #S, #D], f32>) -> !q
  return %o : !q
}

// Weights that nobody uses leave nothing behind.
// CHECK-LABEL: func @unused(
// CHECK-NEXT:    return
func.func @unused(%q: !q, %k: !k) {
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s
  %w = nax.softmax %s along #S : (!s) -> !w
  return
}

// Experts mixed at each position are no attention.
#X = #nax.axis<"X", 8>
// CHECK-LABEL: func @experts(
// CHECK-NEXT:    nax.softmax
// CHECK-NEXT:    nax.dot
// CHECK-NEXT:    return
func.func @experts(%x: !nax.tensor<[#P, #X], f32>, %v: !nax.tensor<[#P, #X, #D], f32>) -> !q {
  %w = nax.softmax %x along #X : (!nax.tensor<[#P, #X], f32>) -> !nax.tensor<[#P, #X], f32, weights<#X>>
  %o = nax.dot %w, %v over [#X] : (!nax.tensor<[#P, #X], f32, weights<#X>>, !nax.tensor<[#P, #X, #D], f32>) -> !q
  return %o : !q
}

// -----

// Values that differ with the position that asks (embeddings of distances, say) are mixed by weights of their own.
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
!q = !nax.tensor<[#T, #D], f32>
!k = !nax.tensor<[#S, #D], f32>
!v = !nax.tensor<[#T, #S, #D], f32>
!s = !nax.tensor<[#T, #S], f32, scores<#T, #S>>
!m = !nax.tensor<[#T, #S], f32, scores<#T, #S, masked, causally>>
!w = !nax.tensor<[#T, #S], f32, weights<#S>>

// CHECK-LABEL: func @values_of_pairs(
// CHECK:         %[[W:.*]] = nax.attention_weights
// CHECK-NEXT:    nax.dot %[[W]], %arg2 over [#ReadT]
func.func @values_of_pairs(%q: !q, %k: !k, %v: !v) -> !q {
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s
  %m = nax.causal_mask %s : (!s) -> !m
  %w = nax.softmax %m along #S : (!m) -> !w
  %o = nax.dot %w, %v over [#S] : (!w, !v) -> !q
  return %o : !q
}
