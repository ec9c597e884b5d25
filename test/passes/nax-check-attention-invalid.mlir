// What types can't know of scores, softmax and biases.
// RUN: nax-opt %s --nax-check-attention --split-input-file --verify-diagnostics

#C = #nax.axis<"C", 6>
#D = #nax.axis<"D", 4>
#H = #nax.axis<"H", 2>
#HD = #nax.axis<"HD" = #H * #D>
#T = #nax.axis<"T", causal>
#ReadT = #nax.axis<read #T>
#rope = #nax.rope<base = 1.0e4, pairing = halves, scaling = 1.0, dims = 0>
!q = !nax.tensor<[#T, #D], f32>
!k = !nax.tensor<[#ReadT, #D], f32>
!s = !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
!rotated = !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>
!read = !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #rope>>

// 1/sqrt(4) twice.
func.func @query_before(%q: !q, %k: !k) -> !s {
  %r = nax.scale %q by 0.5 : !q
  // expected-error @below {{scores<D>: the query was multiplied by 1/sqrt(D) before, and scores<D> multiplies by 1/sqrt(D) itself; leave the first out, or write scores<D>(q, k, Scale{1})  [N0016]}}
  %s = nax.scores %r, %k over #D scale 0.5 : (!q, !k) -> !s
  return %s : !s
}

// The factor goes through what moves elements.
func.func @key_before_rope(%q: !q, %k: !q) -> !s {
  %half = nax.scale %k by 0.5 : !q
  %rq = nax.rope %q positions #T features #D by #rope : (!q) -> !rotated
  %rk = nax.rope %half positions #T features #D by #rope : (!q) -> !rotated
  %read = nax.read %rk along #T : (!rotated) -> !read
  // expected-error @below {{scores<D>: the key was multiplied by 1/sqrt(D) before, and scores<D> multiplies by 1/sqrt(D) itself; leave the first out, or write scores<D>(q, k, Scale{1})  [N0016]}}
  %s = nax.scores %rq, %read over #D scale 0.5 : (!rotated, !read) -> !s
  return %s : !s
}

// A fourth root on each side is a root on both.
func.func @roots_of_both(%q: !q, %k: !k) -> !s {
  %rq = nax.scale %q by 0.70710678118 : !q
  %rk = nax.scale %k by 0.70710678118 : !k
  // expected-error @below {{scores<D>: the query and key together were multiplied by 1/sqrt(D) before, and scores<D> multiplies by 1/sqrt(D) itself; leave the first out, or write scores<D>(q, k, Scale{1})  [N0016]}}
  %s = nax.scores %rq, %rk over #D scale 0.5 : (!q, !k) -> !s
  return %s : !s
}

// sqrt(4), by which others divide.
func.func @inverse(%q: !q, %k: !k) -> !s {
  // expected-error @below {{scores<D>: the scale is sqrt(4), by the size of D, but a scale multiplies: leave the Scale out for 1/sqrt(D)  [N0016]}}
  %s = nax.scores %q, %k over #D scale 2.0 : (!q, !k) -> !s
  return %s : !s
}

// 1/sqrt(8), the size of all heads.
func.func @all_heads(%q: !nax.tensor<[#T, #HD], f32>, %k: !k) -> !nax.tensor<[#T, #H, #ReadT], f32, scores<#T, #ReadT>> {
  %heads = nax.split %q axis #HD : (!nax.tensor<[#T, #HD], f32>) -> !nax.tensor<[#T, #H, #D], f32>
  // expected-error @below {{scores<D>: the scale is 1/sqrt(8), by the size of HD, but what is summed is D (4): leave the Scale out for 1/sqrt(D)  [N0016]}}
  %s = nax.scores %heads, %k over #D scale 0.353553390593 : (!nax.tensor<[#T, #H, #D], f32>, !k) -> !nax.tensor<[#T, #H, #ReadT], f32, scores<#T, #ReadT>>
  return %s : !nax.tensor<[#T, #H, #ReadT], f32, scores<#T, #ReadT>>
}

// 1/sqrt(6), the size of what the query was projected from; here by the query.
func.func @width(%x: !nax.tensor<[#T, #C], f32>, %w: !nax.tensor<[#C, #D], f32>, %k: !k) -> !s {
  %q = nax.dot %x, %w over [#C] : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#C, #D], f32>) -> !q
  %r = nax.scale %q by 0.408248290464 : !q
  // expected-error @below {{scores<D>: the scale is 1/sqrt(6), by the size of C, but what is summed is D (4): leave the Scale out for 1/sqrt(D)  [N0016]}}
  %s = nax.scores %r, %k over #D scale 1.0 : (!q, !k) -> !s
  return %s : !s
}

// -----

#C = #nax.axis<"C", 8>
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal>
#P = #nax.axis<"P", positions>
#ReadT = #nax.axis<read #T>
#ReadP = #nax.axis<read #P>
!q = !nax.tensor<[#T, #D], f32>
!x = !nax.tensor<[#T, #C], f32>

// Queries and keys met without a scale.
func.func @unscaled(%q: !q, %k: !nax.tensor<[#P, #D], f32>) -> !nax.tensor<[#T, #P], f32, weights<#P>> {
  %s = nax.dot %q, %k over [#D] : (!q, !nax.tensor<[#P, #D], f32>) -> !nax.tensor<[#T, #P], f32>
  // expected-error @below {{softmax<P>: [T,P] is a match of [T,D] and [P,D] without its scale; write scores<D>(q, k), where Read<P> is what is read  [N0016]}}
  %w = nax.softmax %s along #P : (!nax.tensor<[#T, #P], f32>) -> !nax.tensor<[#T, #P], f32, weights<#P>>
  return %w : !nax.tensor<[#T, #P], f32, weights<#P>>
}

// Weights as numbers are weights.
func.func @twice(%x: !x) -> !nax.tensor<[#T, #C], f32, weights<#C>> {
  %w = nax.softmax %x along #C : (!x) -> !nax.tensor<[#T, #C], f32, weights<#C>>
  %n = nax.values %w : (!nax.tensor<[#T, #C], f32, weights<#C>>) -> !x
  %m = nax.scale %n by 3.0 : !x
  // expected-error @below {{softmax<C>: [T,C] comes from weights over C, by .values(); drop the second softmax  [N0013]}}
  %v = nax.softmax %m along #C : (!x) -> !nax.tensor<[#T, #C], f32, weights<#C>>
  return %v : !nax.tensor<[#T, #C], f32, weights<#C>>
}

// (1 - m) * -1e9, a mask in disguise.
func.func @made_large(%s: !nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP>>, %m: !nax.tensor<[#ReadP], i32>) -> !nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP, biased>> {
  %f = nax.cast %m : (!nax.tensor<[#ReadP], i32>) -> !nax.tensor<[#ReadP], f32>
  %n = nax.neg %f : !nax.tensor<[#ReadP], f32>
  %o = nax.offset %n by 1.0 : !nax.tensor<[#ReadP], f32>
  %b = nax.scale %o by -1.0e9 : !nax.tensor<[#ReadP], f32>
  // expected-error @below {{bias: [Read<P>] is [Read<P>] of i32 made large, a mask in disguise; write mask(scores, allowed_where_true(to<boolean>(m)))  [N0018]}}
  %r = nax.bias %s, %b : (!nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP>>, !nax.tensor<[#ReadP], f32>) -> !nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP, biased>>
  return %r : !nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP, biased>>
}
