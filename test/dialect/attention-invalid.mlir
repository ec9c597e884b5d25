// What the operations from read to nax.attention refuse.
// RUN: nax-opt %s --verify-diagnostics

#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#D = #nax.axis<"D", 4>
#F = #nax.axis<"F", 32>
#K = #nax.axis<"K", 2>
#G = #nax.axis<"G", 3>
#H = #nax.axis<"H" = #K * #G>
#V = #nax.axis<"V", 16>
#I = #nax.axis<"I", 1>
#T = #nax.axis<"T", causal>
#U = #nax.axis<"U", causal>
#P = #nax.axis<"P", positions>
#R = #nax.axis<"R", positions, ragged>
#ReadT = #nax.axis<read #T>
#ReadU = #nax.axis<read #U>
#ReadP = #nax.axis<read #P>
#ReadR = #nax.axis<read #R>
#rope = #nax.rope<base = 1.0e4, pairing = halves, scaling = 1.0, dims = 0>
#rope2 = #nax.rope<base = 5.0e5, pairing = halves, scaling = 1.0, dims = 0>
#Z = #nax.axis<"Z", positions, packed>
#ReadZ = #nax.axis<read #Z>

// Features have no order to be read in.
func.func @read_features(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.read' op read<C>: C is not a sequence}}
  %y = nax.read %x along #C : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// The value stands on T.
func.func @read_absent(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.read' op read<P>: [T,C] has no axis P}}
  %y = nax.read %x along #P : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// Weights are about what is read already.
func.func @read_weights(%x: !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>) {
  // expected-error @below {{'nax.read' op read<T>: weights [T,Read<T>] is already about what is read}}
  %y = nax.read %x along #T : (!nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>) -> !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>
  return
}

// Twice would be one axis twice.
func.func @read_twice(%x: !nax.tensor<[#T, #ReadT, #C], f32>) {
  // expected-error @below {{'nax.read' op read<T>: [T,Read<T>,C] stands on Read<T> already}}
  %y = nax.read %x along #T : (!nax.tensor<[#T, #ReadT, #C], f32>) -> !nax.tensor<[#T, #ReadT, #C], f32>
  return
}

// F is in neither.
func.func @scores_absent(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<F>: [T,D] has no axis F}}
  %s = nax.scores %q, %k over #F scale 0.5 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// Keys stand on Read<T>.
func.func @scores_unread(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#T, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: the key [T,D] stands on T, as the query does (only each position with itself would meet)}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#T, #D], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// Each key head must be asked by some query head.
func.func @scores_key_heads(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #K, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: the key [Read<T>,K,D] has K but the query [T,D] has not}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #K, #D], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// Rotating one side alone is no relative position.
func.func @scores_one_rotated(%q: !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, %k: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: the query rotated [T,D] but the key [Read<T>,D] is not; rotate both with the same rope  [N0034]}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// The two bases differ.
func.func @scores_two_ropes(%q: !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, %k: !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #rope2>>) {
  // expected-error @below {{'nax.scores' op scores<D>: query rotated [T,D] and key rotated [Read<T>,D] were rotated differently (base); use one Rope for both  [N0034]}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #rope2>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// Nothing says which position of U is before t.
func.func @scores_two_causal(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadU, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: T reads the other causal sequence U and nothing says how their positions align; declare U as Positions if all of it may be read  [N0030]}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadU, #D], f32>) -> !nax.tensor<[#T, #ReadU], f32, scores<#T, #ReadU>>
  return
}

// An infinite scale leaves only the sign.
func.func @scores_scale(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: the scale is not a finite number  [N0016]}}
  %s = nax.scores %q, %k over #D scale 0x7FF0000000000000 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// Nor has a scale of 0 any use.
func.func @scores_scale_of_nothing(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: a scale of 0 leaves nothing; leave the Scale out for 1/sqrt(D)  [N0016]}}
  %s = nax.scores %q, %k over #D scale 0.0 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// Scores say who asks and what is read.
func.func @scores_result(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.scores' op expects the result [T,Read<T>] of f32, scores<T,Read<T>>, but got [T,Read<T>] of f32}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #ReadT], f32>
  return
}

// Only scores are capped.
func.func @softcap_numbers(%s: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.softcap' op softcap: [T,C] are not scores, which have their scale: write softcap(scores<D>(q, read<T>(k)), cap)  [N0016]}}
  %r = nax.softcap %s at 20.0 : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// The cap would let blocked positions back in.
func.func @softcap_masked(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>) {
  // expected-error @below {{'nax.softcap' op softcap: scores [T,Read<T>] are masked already, and capping would let blocked positions back in; cap before the mask  [N0015]}}
  %r = nax.softcap %s at 20.0 : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>
  return
}

// Once is enough.
func.func @softcap_twice(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, capped>>) {
  // expected-error @below {{'nax.softcap' op softcap: scores [T,Read<T>] are capped already  [N0015]}}
  %r = nax.softcap %s at 20.0 : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, capped>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, capped>>
  return
}

// A cap of 0 leaves nothing.
func.func @softcap_zero(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>) {
  // expected-error @below {{'nax.softcap' op expects a positive cap, but got 0}}
  %r = nax.softcap %s at 0.0 : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, capped>>
  return
}

// A mask is not added.
func.func @bias_mask(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, %b: !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>) {
  // expected-error @below {{'nax.bias' op bias: mask [Read<T>] is a mask, not numbers to add; write mask(scores, m)  [N0018]}}
  %r = nax.bias %s, %b : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, biased>>
  return
}

// The scores have no heads.
func.func @bias_axis(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, %b: !nax.tensor<[#H], f32>) {
  // expected-error @below {{'nax.bias' op bias: [H] has H, which scores [T,Read<T>] has not}}
  %r = nax.bias %s, %b : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, !nax.tensor<[#H], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, biased>>
  return
}

// A bias would change what the mask blocked.
func.func @bias_masked(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>, %b: !nax.tensor<[#ReadT], f32>) {
  // expected-error @below {{'nax.bias' op bias: scores [T,Read<T>] are masked already; add the bias before the mask  [N0015]}}
  %r = nax.bias %s, %b : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>, !nax.tensor<[#ReadT], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>
  return
}

// Nor do masked scores become numbers to add.
func.func @bias_scores(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, %b: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>) {
  // expected-error @below {{'nax.bias' op bias: scores [T,Read<T>] are scores with their mask, not numbers to add; the mask goes around: causal_mask(bias(scores, b))  [N0018]}}
  %r = nax.bias %s, %b : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, biased>>
  return
}

// 1 where something may be read, 0 elsewhere: no bias.
func.func @bias_whole_numbers(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, %b: !nax.tensor<[#ReadT], i32>) {
  // expected-error @below {{'nax.bias' op bias: [Read<T>] of i32 are whole numbers; if they say what may be read, write mask(scores, allowed_where_true(to<boolean>(m)))  [N0018]}}
  %r = nax.bias %s, %b : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, !nax.tensor<[#ReadT], i32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, biased>>
  return
}

// Weights are past their bias.
func.func @bias_weights(%w: !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>, %b: !nax.tensor<[#ReadT], f32>) {
  // expected-error @below {{'nax.bias' op bias: weights [T,Read<T>] are weights already; bias works on scores: put it before softmax<Read<T>>  [N0021]}}
  %r = nax.bias %w, %b : (!nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>, !nax.tensor<[#ReadT], f32>) -> !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>
  return
}

// Two biases are one sum.
func.func @bias_twice(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, biased>>, %b: !nax.tensor<[#ReadT], f32>) {
  // expected-error @below {{'nax.bias' op bias: scores [T,Read<T>] have a bias already; add the two before: bias(scores, b + c)  [N0015]}}
  %r = nax.bias %s, %b : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, biased>>, !nax.tensor<[#ReadT], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, biased>>
  return
}

// Each head has a slope; which axes count them?
func.func @alibi_no_heads(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>) {
  // expected-error @below {{'nax.alibi' op alibi: say the axis of the heads, each of which has its slope: alibi<H>(scores)}}
  %r = nax.alibi %s heads [] : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, biased>>
  return
}

// Slopes need the number of heads.
func.func @alibi_size(%s: !nax.tensor<[#B, #T, #ReadT], f32, scores<#T, #ReadT>>) {
  // expected-error @below {{'nax.alibi' op alibi<B>: B has no fixed size}}
  %r = nax.alibi %s heads [#B] : (!nax.tensor<[#B, #T, #ReadT], f32, scores<#T, #ReadT>>) -> !nax.tensor<[#B, #T, #ReadT], f32, scores<#T, #ReadT, biased>>
  return
}

// Two sequences have no distance.
func.func @alibi_two(%s: !nax.tensor<[#H, #T, #ReadP], f32, scores<#T, #ReadP>>) {
  // expected-error @below {{'nax.alibi' op alibi: scores [H,T,Read<P>] reads P from T: two sequences have no distance between them  [N0030]}}
  %r = nax.alibi %s heads [#H] : (!nax.tensor<[#H, #T, #ReadP], f32, scores<#T, #ReadP>>) -> !nax.tensor<[#H, #T, #ReadP], f32, scores<#T, #ReadP, biased>>
  return
}

// The penalty comes before the mask.
func.func @alibi_masked(%s: !nax.tensor<[#H, #T, #ReadT], f32, scores<#T, #ReadT, masked>>) {
  // expected-error @below {{'nax.alibi' op alibi: scores [H,T,Read<T>] are masked already; add the bias before the mask  [N0015]}}
  %r = nax.alibi %s heads [#H] : (!nax.tensor<[#H, #T, #ReadT], f32, scores<#T, #ReadT, masked>>) -> !nax.tensor<[#H, #T, #ReadT], f32, scores<#T, #ReadT, biased, masked>>
  return
}

// Two sequences have no order.
func.func @causal_mask_two(%s: !nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP>>) {
  // expected-error @below {{'nax.causal_mask' op causal_mask: scores [T,Read<P>] reads P from T: two sequences have no order between them; for padding write mask(scores, shorter_than<P>(lengths))  [N0030]}}
  %r = nax.causal_mask %s : (!nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP>>) -> !nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP, causally>>
  return
}

// All of P may read all of P.
func.func @causal_mask_positions(%s: !nax.tensor<[#P, #ReadP], f32, scores<#P, #ReadP>>) {
  // expected-error @below {{'nax.causal_mask' op causal_mask: P of scores [P,Read<P>] is declared Positions (all may read all); declare struct P : Causal<"P"> {}  [N0030]}}
  %r = nax.causal_mask %s : (!nax.tensor<[#P, #ReadP], f32, scores<#P, #ReadP>>) -> !nax.tensor<[#P, #ReadP], f32, scores<#P, #ReadP, causally>>
  return
}

// Once is enough.
func.func @causal_mask_twice(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>) {
  // expected-error @below {{'nax.causal_mask' op causal_mask: scores [T,Read<T>] are causally masked already; once is enough  [N0015]}}
  %r = nax.causal_mask %s : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>
  return
}

// A match of plain numbers lacks its scale, so it is no scores.
func.func @causal_mask_numbers(%s: !nax.tensor<[#T, #ReadT], f32>) {
  // expected-error @below {{'nax.causal_mask' op causal_mask: [T,Read<T>] are not scores, which have their scale: write causal_mask(scores<D>(q, read<T>(k)))  [N0016]}}
  %r = nax.causal_mask %s : (!nax.tensor<[#T, #ReadT], f32>) -> !nax.tensor<[#T, #ReadT], f32>
  return
}

// Weights are past their mask.
func.func @causal_mask_weights(%w: !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>) {
  // expected-error @below {{'nax.causal_mask' op causal_mask: weights [T,Read<T>] are weights already; causal_mask works on scores: put it before softmax<Read<T>>  [N0014]}}
  %r = nax.causal_mask %w : (!nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>) -> !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>
  return
}
func.func @mask_weights(%w: !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>, %m: !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>) {
  // expected-error @below {{'nax.mask' op mask: weights [T,Read<T>] are weights already; mask works on scores: put it before softmax<Read<T>>  [N0014]}}
  %r = nax.mask %w, %m : (!nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>, !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>) -> !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>
  return
}

// Numbers hide nothing.
func.func @mask_numbers(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, %m: !nax.tensor<[#ReadT], f32>) {
  // expected-error @below {{'nax.mask' op mask: [Read<T>] of f32 are numbers, not a mask; added numbers are bias(scores, b), a mask is a Mask<Q,K>  [N0018]}}
  %r = nax.mask %s, %m : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, !nax.tensor<[#ReadT], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked>>
  return
}

// Padding of P hides what is read along P, not who asks.
func.func @mask_querying(%s: !nax.tensor<[#P, #ReadT], f32, scores<#P, #ReadT>>, %m: !nax.tensor<[#ReadP], i1, mask<every, #ReadP>>) {
  // expected-error @below {{'nax.mask' op mask: mask [Read<P>] is about the querying P; padding hides what is read: build it on Read<T>  [N0019]}}
  %r = nax.mask %s, %m : (!nax.tensor<[#P, #ReadT], f32, scores<#P, #ReadT>>, !nax.tensor<[#ReadP], i1, mask<every, #ReadP>>) -> !nax.tensor<[#P, #ReadT], f32, scores<#P, #ReadT, masked>>
  return
}

// Does true mean allowed?
func.func @mask_boolean(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, %m: !nax.tensor<[#ReadT], i1>) {
  // expected-error @below {{'nax.mask' op mask: bool [Read<T>] does not say what true means; write allowed_where_true(m) or blocked_where_true(m)  [N0017]}}
  %r = nax.mask %s, %m : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, !nax.tensor<[#ReadT], i1>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked>>
  return
}

// The scores read T.
func.func @mask_other(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, %m: !nax.tensor<[#ReadP], i1, mask<every, #ReadP>>) {
  // expected-error @below {{'nax.mask' op mask: mask [Read<P>] is about Read<P>, but scores [T,Read<T>] reads Read<T>  [N0020]}}
  %r = nax.mask %s, %m : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, !nax.tensor<[#ReadP], i1, mask<every, #ReadP>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked>>
  return
}

// The scores have no rows.
func.func @mask_axis(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, %m: !nax.tensor<[#B, #ReadT], i1, mask<every, #ReadT>>) {
  // expected-error @below {{'nax.mask' op mask: mask [B,Read<T>] has B, which scores [T,Read<T>] has not}}
  %r = nax.mask %s, %m : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, !nax.tensor<[#B, #ReadT], i1, mask<every, #ReadT>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked>>
  return
}

// Each query normalises over what it reads.
func.func @softmax_query(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>) {
  // expected-error @below {{'nax.softmax' op softmax<T>: T is the querying axis of scores [T,Read<T>]; each query normalises over the positions it reads: write softmax<Read<T>>  [N0012]}}
  %w = nax.softmax %s along #T : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>) -> !nax.tensor<[#T, #ReadT], f32, weights<#T>>
  return
}

// Nor over the heads or the rows of a batch.
func.func @softmax_heads(%s: !nax.tensor<[#T, #H, #ReadT], f32, scores<#T, #ReadT, masked, causally>>) {
  // expected-error @below {{'nax.softmax' op softmax<H>: H is not what is being read in scores [T,H,Read<T>]; each query normalises over the positions it reads: write softmax<Read<T>>  [N0012]}}
  %w = nax.softmax %s along #H : (!nax.tensor<[#T, #H, #ReadT], f32, scores<#T, #ReadT, masked, causally>>) -> !nax.tensor<[#T, #H, #ReadT], f32, weights<#H>>
  return
}
func.func @softmax_of_another_read(%s: !nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP>>) {
  // expected-error @below {{'nax.softmax' op softmax<Read<T>>: Read<T> is not what is being read in scores [T,Read<P>]; each query normalises over the positions it reads: write softmax<Read<P>>  [N0012]}}
  %w = nax.softmax %s along #ReadT : (!nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP>>) -> !nax.tensor<[#T, #ReadP], f32, weights<#ReadP>>
  return
}
func.func @softmax_rows(%x: !nax.tensor<[#B, #T, #C], f32>) {
  // expected-error @below {{'nax.softmax' op softmax<B>: B of [B,T,C] has no fixed size, as rows of a batch have: write softmax<C>; declare B as Positions only if there is a choice among them  [N0012]}}
  %w = nax.softmax %x along #B : (!nax.tensor<[#B, #T, #C], f32>) -> !nax.tensor<[#B, #T, #C], f32, weights<#B>>
  return
}
func.func @softmax_features_of_logits(%x: !nax.tensor<[#B, #C, #V], f32, logits<#V>>) {
  // expected-error @below {{'nax.softmax' op softmax<C>: logits [B,C,V] are logits over V: write softmax<V>  [N0012]}}
  %w = nax.softmax %x along #C : (!nax.tensor<[#B, #C, #V], f32, logits<#V>>) -> !nax.tensor<[#B, #C, #V], f32, weights<#C>>
  return
}

// One weight is 1, whatever it is of.
func.func @softmax_of_one(%x: !nax.tensor<[#T, #I], f32>) {
  // expected-error @below {{'nax.softmax' op softmax<I>: I of [T,I] has size 1, so every weight is 1  [N0012]}}
  %w = nax.softmax %x along #I : (!nax.tensor<[#T, #I], f32>) -> !nax.tensor<[#T, #I], f32, weights<#I>>
  return
}

// Without a causal mask, t would read what comes after it.
func.func @softmax_unmasked(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>) {
  // expected-error @below {{'nax.softmax' op softmax<Read<T>>: scores [T,Read<T>] are not masked, and T is causal: write softmax<Read<T>>(causal_mask(scores))  [N0022]}}
  %w = nax.softmax %s along #ReadT : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>) -> !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>
  return
}

// Weights sum to 1 already.
func.func @softmax_twice(%x: !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>) {
  // expected-error @below {{'nax.softmax' op softmax<Read<T>>: weights [T,Read<T>] are weights already (they sum to 1 over Read<T>); drop the second softmax  [N0013]}}
  %w = nax.softmax %x along #ReadT : (!nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>) -> !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>
  return
}

// The value has no V.
func.func @softmax_absent(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.softmax' op softmax<V>: [T,C] has no axis V}}
  %w = nax.softmax %x along #V : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32, weights<#C>>
  return
}

// All of T would be seen at each t.
func.func @softmax_causal(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.softmax' op softmax<T>: it would look at every position of the causal T in [T,C]}}
  %w = nax.softmax %x along #T : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32, weights<#T>>
  return
}

// Which positions of a ragged row are real?
func.func @softmax_no_lengths(%s: !nax.tensor<[#B, #R, #ReadR], f32, scores<#R, #ReadR>>) {
  // expected-error @below {{'nax.softmax' op expects the lengths of the ragged axis R as its data}}
  %w = nax.softmax %s along #ReadR : (!nax.tensor<[#B, #R, #ReadR], f32, scores<#R, #ReadR>>) -> !nax.tensor<[#B, #R, #ReadR], f32, weights<#ReadR>>
  return
}

// All positions of P are real.
func.func @softmax_needless_lengths(%s: !nax.tensor<[#B, #P, #ReadP], f32, scores<#P, #ReadP>>, %n: !nax.tensor<[#B], i32>) {
  // expected-error @below {{'nax.softmax' op expects no data, since the axis P has all positions}}
  %w = nax.softmax %s data %n along #ReadP : (!nax.tensor<[#B, #P, #ReadP], f32, scores<#P, #ReadP>>, !nax.tensor<[#B], i32>) -> !nax.tensor<[#B, #P, #ReadP], f32, weights<#ReadP>>
  return
}

// Lengths are one for each row.
func.func @softmax_bad_lengths(%s: !nax.tensor<[#B, #R, #ReadR], f32, scores<#R, #ReadR>>, %n: !nax.tensor<[#B, #R], i32>) {
  // expected-error @below {{'nax.softmax' op expects the lengths of R to be i32 on the rows of scores [B,R,Read<R>], not on R, but got [B,R] of i32}}
  %w = nax.softmax %s data %n along #ReadR : (!nax.tensor<[#B, #R, #ReadR], f32, scores<#R, #ReadR>>, !nax.tensor<[#B, #R], i32>) -> !nax.tensor<[#B, #R, #ReadR], f32, weights<#ReadR>>
  return
}

// What is blocked has no number.
func.func @values_masked(%s: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked>>) {
  // expected-error @below {{'nax.values' op values: scores [T,Read<T>] are masked, and what is blocked has no number; take .values() before the mask  [N0014]}}
  %n = nax.values %s : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked>>) -> !nax.tensor<[#T, #ReadT], f32>
  return
}

// The fused form needs its causal mask too.
func.func @attention_unmasked(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.attention' op softmax<Read<T>>: scores [T,Read<T>] are not masked, and T is causal: write softmax<Read<T>>(causal_mask(scores))  [N0022]}}
  %o = nax.attention %q, %k, %k over #D along #ReadT scale 0.5 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #D], f32>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #D], f32>
  return
}

// Values are what is read.
func.func @attention_values(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.attention' op dot<Read<T>>: the values [T,D] stand on T, the querying positions; mix what is read: dot<Read<T>>(w, read<T>(v))  [N0024]}}
  %o = nax.attention %q, %k, %q over #D along #ReadT scale 0.5 causal : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #D], f32>, !nax.tensor<[#T, #D], f32>) -> !nax.tensor<[#T, #D], f32>
  return
}

// Each query would have values of its own.
func.func @attention_own_values(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #D], f32>, %v: !nax.tensor<[#T, #ReadT, #D], f32>) {
  // expected-error @below {{'nax.attention' op expects the same values for each position of T, but got [T,Read<T>,D]}}
  %o = nax.attention %q, %k, %v over #D along #ReadT scale 0.5 causal : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #D], f32>, !nax.tensor<[#T, #ReadT, #D], f32>) -> !nax.tensor<[#T, #D], f32>
  return
}

// The mask is about another sequence.
func.func @attention_mask(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #D], f32>, %m: !nax.tensor<[#ReadP], i1, mask<every, #ReadP>>) {
  // expected-error @below {{'nax.attention' op mask: mask [Read<P>] is about Read<P>, but scores [T,Read<T>] reads Read<T>  [N0020]}}
  %o = nax.attention %q, %k, %k mask %m over #D along #ReadT scale 0.5 causal : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #D], f32>, !nax.tensor<[#ReadT, #D], f32>, !nax.tensor<[#ReadP], i1, mask<every, #ReadP>>) -> !nax.tensor<[#T, #D], f32>
  return
}

// Alibi is a bias.
func.func @attention_two_biases(%q: !nax.tensor<[#T, #H, #D], f32>, %k: !nax.tensor<[#ReadT, #H, #D], f32>, %b: !nax.tensor<[#H], f32>) {
  // expected-error @below {{'nax.attention' op bias: scores [T,H,Read<T>] have a bias already; add the two before: bias(scores, b + c)  [N0015]}}
  %o = nax.attention %q, %k, %k bias %b over #D along #ReadT scale 0.5 alibi [#H] causal : (!nax.tensor<[#T, #H, #D], f32>, !nax.tensor<[#ReadT, #H, #D], f32>, !nax.tensor<[#ReadT, #H, #D], f32>, !nax.tensor<[#H], f32>) -> !nax.tensor<[#T, #H, #D], f32>
  return
}

// The heads are lost.
func.func @attention_result(%q: !nax.tensor<[#T, #H, #D], f32>, %k: !nax.tensor<[#ReadT, #H, #D], f32>) {
  // expected-error @below {{'nax.attention' op expects the result [T,H,D] of f32, but got [T,D] of f32}}
  %o = nax.attention %q, %k, %k over #D along #ReadT scale 0.5 causal : (!nax.tensor<[#T, #H, #D], f32>, !nax.tensor<[#ReadT, #H, #D], f32>, !nax.tensor<[#ReadT, #H, #D], f32>) -> !nax.tensor<[#T, #D], f32>
  return
}

// Its result is weights.
func.func @attention_weights_result(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.attention_weights' op expects the result [T,Read<T>] of f32, weights<Read<T>>, but got [T,Read<T>] of f32}}
  %o = nax.attention_weights %q, %k over #D along #ReadT scale 0.5 causal : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #ReadT], f32>
  return
}

// Two sequences that both count from 0.
func.func @scores_rotated_across(%q: !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, %k: !nax.tensor<[#ReadP, #D], f32, rotated<#ReadP, #D, #rope>>) {
  // expected-error @below {{'nax.scores' op scores<D>: T and P both count from 0 in rope, and nothing says how far T is from P; rotate and read one sequence, or neither  [N0038]}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, !nax.tensor<[#ReadP, #D], f32, rotated<#ReadP, #D, #rope>>) -> !nax.tensor<[#T, #ReadP], f32, scores<#T, #ReadP>>
  return
}

// In which document of Z is a position of P?
func.func @scores_of_documents(%q: !nax.tensor<[#P, #D], f32>, %k: !nax.tensor<[#ReadZ, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: P reads the packed Z and nothing says which document each of its positions is in; declare Z as Ragged, one document a row  [N0029]}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#P, #D], f32>, !nax.tensor<[#ReadZ, #D], f32>) -> !nax.tensor<[#P, #ReadZ], f32, scores<#P, #ReadZ>>
  return
}

// One choice among the positions of all documents.
func.func @softmax_of_documents(%x: !nax.tensor<[#B, #Z], f32>, %d: !nax.tensor<[#B, #Z], i32>) {
  // expected-error @below {{'nax.softmax' op softmax<Z>: a row of the packed Z holds several documents, which one softmax would mix; declare Z as Ragged, one document a row  [N0029]}}
  %w = nax.softmax %x data %d along #Z : (!nax.tensor<[#B, #Z], f32>, !nax.tensor<[#B, #Z], i32>) -> !nax.tensor<[#B, #Z], f32, weights<#Z>>
  return
}

// A buffer hides the padding of each row, which rope counted.
func.func @mask_padding(%q: !nax.tensor<[#B, #T, #D], f32, rotated<#T, #D, #rope>>, %k: !nax.tensor<[#B, #ReadT, #D], f32, rotated<#ReadT, #D, #rope>>, %m: !nax.tensor<[#B, #ReadT], i1>) {
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#B, #T, #D], f32, rotated<#T, #D, #rope>>, !nax.tensor<[#B, #ReadT, #D], f32, rotated<#ReadT, #D, #rope>>) -> !nax.tensor<[#B, #T, #ReadT], f32, scores<#T, #ReadT>>
  %c = nax.softcap %s at 30.0 : (!nax.tensor<[#B, #T, #ReadT], f32, scores<#T, #ReadT>>) -> !nax.tensor<[#B, #T, #ReadT], f32, scores<#T, #ReadT, capped>>
  %b = nax.blocked_where_true %m : (!nax.tensor<[#B, #ReadT], i1>) -> !nax.tensor<[#B, #ReadT], i1, mask<every, #ReadT>>
  // expected-error @below {{'nax.mask' op mask: it hides positions of T that rope and tables count; if rows are padded declare it: struct T : Causal<"T", LeftPadded> {}, or Ragged if at the end  [N0038]}}
  %r = nax.mask %c, %b : (!nax.tensor<[#B, #T, #ReadT], f32, scores<#T, #ReadT, capped>>, !nax.tensor<[#B, #ReadT], i1, mask<every, #ReadT>>) -> !nax.tensor<[#B, #T, #ReadT], f32, scores<#T, #ReadT, capped, masked>>
  return
}

// The same in one, joined with another mask and turned.
func.func @attention_padding(%q: !nax.tensor<[#B, #T, #D], f32, rotated<#T, #D, #rope>>, %k: !nax.tensor<[#B, #ReadT, #D], f32, rotated<#ReadT, #D, #rope>>, %v: !nax.tensor<[#B, #ReadT, #D], f32>, %m: !nax.tensor<[#B, #ReadT], i1>) {
  %a = nax.allowed_where_true %m : (!nax.tensor<[#B, #ReadT], i1>) -> !nax.tensor<[#B, #ReadT], i1, mask<every, #ReadT>>
  %p = nax.prefix of #T size 2 : !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>
  %o = nax.mask_or %p, %a : (!nax.tensor<[#ReadT], i1, mask<every, #ReadT>>, !nax.tensor<[#B, #ReadT], i1, mask<every, #ReadT>>) -> !nax.tensor<[#ReadT, #B], i1, mask<every, #ReadT>>
  %n = nax.mask_not %o : !nax.tensor<[#ReadT, #B], i1, mask<every, #ReadT>>
  // expected-error @below {{'nax.attention' op mask: it hides positions of T that rope and tables count; if rows are padded declare it: struct T : Causal<"T", LeftPadded> {}, or Ragged if at the end  [N0038]}}
  %y = nax.attention %q, %k, %v mask %n over #D along #ReadT scale 0.5 causal : (!nax.tensor<[#B, #T, #D], f32, rotated<#T, #D, #rope>>, !nax.tensor<[#B, #ReadT, #D], f32, rotated<#ReadT, #D, #rope>>, !nax.tensor<[#B, #ReadT, #D], f32>, !nax.tensor<[#ReadT, #B], i1, mask<every, #ReadT>>) -> !nax.tensor<[#B, #T, #D], f32>
  return
}

#ropePairs = #nax.rope<base = 1.0e4, pairing = interleaved, scaling = 1.0, dims = 0>
#ropeFar = #nax.rope<base = 1.0e4, pairing = halves, scaling = 4.0, dims = 0>
#ropePart = #nax.rope<base = 1.0e4, pairing = halves, scaling = 1.0, dims = 2>
#ropeAll = #nax.rope<base = 1.0e4, pairing = halves, scaling = 1.0, dims = 4>

// The key is rotated, the query is not.
func.func @scores_key_rotated(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #rope>>) {
  // expected-error @below {{'nax.scores' op scores<D>: the key rotated [Read<T>,D] but the query [T,D] is not; rotate both with the same rope  [N0034]}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #rope>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// In other pairs.
func.func @scores_pairings(%q: !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, %k: !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #ropePairs>>) {
  // expected-error @below {{'nax.scores' op scores<D>: query rotated [T,D] and key rotated [Read<T>,D] were rotated differently (pairing); use one Rope for both  [N0034]}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #ropePairs>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// Over stretched positions.
func.func @scores_scalings(%q: !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, %k: !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #ropeFar>>) {
  // expected-error @below {{'nax.scores' op scores<D>: query rotated [T,D] and key rotated [Read<T>,D] were rotated differently (scaling); use one Rope for both  [N0034]}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #ropeFar>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// All components on one side, two on the other.
func.func @scores_dims(%q: !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, %k: !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #ropePart>>) {
  // expected-error @below {{'nax.scores' op scores<D>: query rotated [T,D] and key rotated [Read<T>,D] were rotated differently (dims); use one Rope for both  [N0034]}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #ropePart>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// All of the four, said in two ways.
func.func @scores_same_dims(%q: !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, %k: !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #ropeAll>>) {
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #ropeAll>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// Heads were rotated, features match.
func.func @scores_rotated_heads(%q: !nax.tensor<[#T, #K, #D], f32, rotated<#T, #K, #rope>>, %k: !nax.tensor<[#ReadT, #K, #D], f32, rotated<#ReadT, #D, #rope>>) {
  // expected-error @below {{'nax.scores' op scores<D>: rotated [T,K,D] was rotated over K, and matches over D; rotation goes over the features that match: rope<T,D>  [N0031]}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #K, #D], f32, rotated<#T, #K, #rope>>, !nax.tensor<[#ReadT, #K, #D], f32, rotated<#ReadT, #D, #rope>>) -> !nax.tensor<[#T, #K, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// Queries of one type of number, keys of another.
func.func @scores_types(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #D], bf16>) {
  // expected-error @below {{'nax.scores' op scores: [T,D] is f32 and [Read<T>,D] is bf16; convert one: to<f32>(...)  [N0044]}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #D], bf16>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}
