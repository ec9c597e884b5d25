// Where no step can be derived: one error, at the operation, that says why.
// RUN: nax-opt %s --split-input-file --verify-diagnostics --nax-derive-decode

#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#H = #nax.axis<"H", 2>
#V = #nax.axis<"V", 16>
#T = #nax.axis<"T", causal>
#U = #nax.axis<"U", causal>
#P = #nax.axis<"P", positions>
#S = #nax.axis<read #T>
#R = #nax.axis<read #P>
#N = #nax.axis<next #T>
!x = !nax.tensor<[#B, #T, #D], f32>
!k = !nax.tensor<[#B, #S, #D], f32>
!last = !nax.tensor<[#B, #D], f32, whole #T>
!s = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S>>
!c = !nax.tensor<[#B, #T, #S], f32, scores<#T, #S, masked, causally>>
!w = !nax.tensor<[#B, #T, #S], f32, weights<#S>>
!p = !nax.tensor<[#B, #P, #D], f32>
!rp = !nax.tensor<[#B, #R, #D], f32>
!sp = !nax.tensor<[#B, #P, #R], f32, scores<#P, #R>>
!mp = !nax.tensor<[#B, #P, #R], f32, scores<#P, #R, masked>>
!pm = !nax.tensor<[#P, #R], i1, mask<#P, #R>>
!wp = !nax.tensor<[#B, #P, #R], f32, weights<#R>>

// An encoder.
func.func @encoder(%x: !p {nax.name = "x"}) -> (!wp {nax.name = "w"}) attributes {nax.entry, nax.decode} {
  %k = nax.read %x along #P : (!p) -> !rp
  // expected-error @below {{scores<D>: positions of P read later ones, so a new one changes those before it, and encoder has no step; declare struct P : Causal<"P"> {}}}
  %s = nax.scores %x, %k over #D scale 0.5 : (!p, !rp) -> !sp
  %w = nax.softmax %s along #R : (!sp) -> !wp
  return %w : !wp
}

// A prefix language model, in a block.
func.func private @PrefixBlock(%x: !p) -> !wp {
  %k = nax.read %x along #P : (!p) -> !rp
  // expected-error @below {{scores<D>: positions of P read later ones, so a new one changes those before it, and prefix_lm has no step; the positions of a prefix read one another, so what a cache has of them holds for one length of it alone: give prefix_lm the whole sequence, or declare struct P : Causal<"P"> {} and mask the prefix causally, too}}
  %s = nax.scores %x, %k over #D scale 0.5 : (!p, !rp) -> !sp
  // expected-note @below {{past<P>() is not all that may be read: other masks show what comes later}}
  %past = nax.past of #P : !pm
  %prefix = nax.prefix of #P size 3 : !nax.tensor<[#R], i1, mask<every, #R>>
  %either = nax.mask_or %past, %prefix : (!pm, !nax.tensor<[#R], i1, mask<every, #R>>) -> !pm
  %m = nax.mask %s, %either : (!sp, !pm) -> !mp
  %w = nax.softmax %m along #R : (!mp) -> !wp
  return %w : !wp
}
func.func @prefix_lm(%x: !p {nax.name = "x"}) -> (!wp {nax.name = "w"}) attributes {nax.entry, nax.decode} {
  %w = func.call @PrefixBlock(%x) : (!p) -> !wp
  return %w : !wp
}

// What is masked by hand has a declaration.
func.func @past(%x: !p {nax.name = "x"}) -> (!wp {nax.name = "w"}) attributes {nax.entry, nax.decode} {
  %k = nax.read %x along #P : (!p) -> !rp
  // expected-error @below {{scores<D>: positions of P read no later ones here, but only of a causal axis is it known everywhere, so past has no step; declare struct P : Causal<"P"> {}, and causal_mask takes the place of past<P>()}}
  %s = nax.scores %x, %k over #D scale 0.5 : (!p, !rp) -> !sp
  %past = nax.past of #P : !pm
  %window = nax.window of #P size 3 : !pm
  %both = nax.mask_and %window, %past : (!pm, !pm) -> !pm
  %m = nax.mask %s, %both : (!sp, !pm) -> !mp
  %w = nax.softmax %m along #R : (!mp) -> !wp
  return %w : !wp
}

// The first that reads onward is told of, not the first of all.
func.func @past_and_all(%x: !p {nax.name = "x"}) -> (!wp {nax.name = "w"}, !wp {nax.name = "v"}) attributes {nax.entry, nax.decode} {
  %k = nax.read %x along #P : (!p) -> !rp
  %s = nax.scores %x, %k over #D scale 0.5 : (!p, !rp) -> !sp
  %past = nax.past of #P : !pm
  %m = nax.mask %s, %past : (!sp, !pm) -> !mp
  %w = nax.softmax %m along #R : (!mp) -> !wp
  // expected-error @below {{scores<D>: positions of P read later ones, so a new one changes those before it, and past_and_all has no step; declare struct P : Causal<"P"> {}}}
  %t = nax.scores %x, %k over #D scale 0.5 : (!p, !rp) -> !sp
  %v = nax.softmax %t along #R : (!sp) -> !wp
  return %w, %v : !wp, !wp
}

// Nothing is a sequence.
// expected-error @below {{features: none of its arguments stands on a causal axis, so there is nothing that a step continues; decode an entry that takes struct T : Causal<"T"> {}}}
func.func @features(%x: !nax.tensor<[#B, #D], f32> {nax.name = "x"}) -> (!nax.tensor<[#B, #D], f32> {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  return %x : !nax.tensor<[#B, #D], f32>
}

// Which of the two is continued?
// expected-error @below {{two: its arguments stand on two causal axes, T and U, and a step continues one; declare the other as Positions, or decode another entry}}
func.func @two(%x: !x {nax.name = "x"}, %u: !nax.tensor<[#B, #U, #D], f32> {nax.name = "u"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  return %x : !x
}

// Old positions are gone from what a step has.
func.func @mean(%x: !x {nax.name = "x"}) -> (!last {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  // expected-error @below {{mean<T>: it takes in every position of T, of which a step of mean has only the new ones; take last<T>, or give it an entry of its own}}
  %y = nax.mean %x over [#T] : (!x) -> !last
  return %y : !last
}
func.func @max_of_block(%x: !x {nax.name = "x"}) -> (!last {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  %y = func.call @MaxBlock(%x) : (!x) -> !last
  return %y : !last
}
func.func private @MaxBlock(%x: !x) -> !last {
  // expected-error @below {{max<T>: it takes in every position of T, of which a step of max_of_block has only the new ones; take last<T>, or give it an entry of its own}}
  %y = nax.max %x over [#T] : (!x) -> !last
  return %y : !last
}
func.func @mix(%x: !x {nax.name = "x"}, %y: !nax.tensor<[#B, #T], f32> {nax.name = "y"}) -> (!last {nax.name = "z"}) attributes {nax.entry, nax.decode} {
  // expected-error @below {{dot<T>: it takes in every position of T, of which a step of mix has only the new ones; take last<T>, or give it an entry of its own}}
  %z = nax.dot %x, %y over [#T] : (!x, !nax.tensor<[#B, #T], f32>) -> !last
  return %z : !last
}
func.func @begin(%x: !x {nax.name = "x"}) -> (!nax.tensor<[#B, #D], f32> {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  // expected-error @below {{first<T>: the first position of T is not among the new ones that a step of begin is given; give it an entry of its own}}
  %y = nax.first %x of #T : (!x) -> !nax.tensor<[#B, #D], f32>
  return %y : !nax.tensor<[#B, #D], f32>
}

// What follows the last position nobody has said yet.
func.func @loss(%ids: !nax.tensor<[#B, #T], i32, ids<#V>> {nax.name = "ids"}, %x: !nax.tensor<[#B, #T, #V], f32, logits<#V>> {nax.name = "x"}) -> (!nax.tensor<[#B, #T], f32, losses<#T>> {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  // expected-error @below {{next<T>: the label of the last new position is not there yet in a step of loss; give the logits an entry of their own and decode that}}
  %n = nax.next %ids along #T : (!nax.tensor<[#B, #T], i32, ids<#V>>) -> !nax.tensor<[#B, #N], i32, ids<#V>>
  %y = nax.cross_entropy %x, %n over #V : (!nax.tensor<[#B, #T, #V], f32, logits<#V>>, !nax.tensor<[#B, #N], i32, ids<#V>>) -> !nax.tensor<[#B, #T], f32, losses<#T>>
  return %y : !nax.tensor<[#B, #T], f32, losses<#T>>
}
func.func @labelled(%n: !nax.tensor<[#B, #N], i32, ids<#V>> {nax.name = "labels"}, %x: !nax.tensor<[#B, #T, #V], f32, logits<#V>> {nax.name = "x"}) -> (!nax.tensor<[#B, #T], f32, losses<#T>> {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  // expected-error @below {{cross_entropy<V>: the label of the last new position is not there yet in a step of labelled; give the logits an entry of their own and decode that}}
  %y = nax.cross_entropy %x, %n over #V : (!nax.tensor<[#B, #T, #V], f32, logits<#V>>, !nax.tensor<[#B, #N], i32, ids<#V>>) -> !nax.tensor<[#B, #T], f32, losses<#T>>
  return %y : !nax.tensor<[#B, #T], f32, losses<#T>>
}
// expected-error @below {{unused_labels: the argument labels ids [B,Next<T>] are labels, and that of the last new position is not there yet in a step; give the logits an entry of their own and decode that}}
func.func @unused_labels(%x: !x {nax.name = "x"}, %n: !nax.tensor<[#B, #N], i32, ids<#V>> {nax.name = "labels"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  return %x : !x
}

// Training is done on all positions at once.
func.func @train(%x: !x {nax.name = "x"}, %seed: !nax.tensor<[], i64> {nax.name = "seed"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  // expected-error @below {{dropout: it drops out, so train is for training and a step is not; decode an entry that takes no Training}}
  %y = nax.dropout %x, %seed p 0.1 site 0 : (!x, !nax.tensor<[], i64>) -> !x
  return %y : !x
}

// Weights, and what reads itself, would grow with what is cached.
func.func @weights(%x: !x {nax.name = "x"}) -> (!w {nax.name = "w"}) attributes {nax.entry, nax.decode} {
  %k = nax.read %x along #T : (!x) -> !k
  %s = nax.scores %x, %k over #D scale 0.5 : (!x, !k) -> !s
  %c = nax.causal_mask %s : (!s) -> !c
  // expected-error @below {{weights returns weights [B,T,Read<T>], which has a place for each position that a step of it has cached; return what dot<Read<T>> makes, or decode another entry}}
  %w = nax.softmax %c along #S : (!c) -> !w
  return %w : !w
}
func.func @keys(%x: !x {nax.name = "x"}) -> (!k {nax.name = "k"}) attributes {nax.entry, nax.decode} {
  // expected-error @below {{keys returns [B,Read<T>,D], which has a place for each position that a step of it has cached; return what dot<Read<T>> makes, or decode another entry}}
  %k = nax.read %x along #T : (!x) -> !k
  return %k : !k
}

// Numbers for each pair are made and kept in no cache.
func.func @numbers(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  %k = nax.read %x along #T : (!x) -> !k
  %s = nax.scores %x, %k over #D scale 0.5 : (!x, !k) -> !s
  %c = nax.causal_mask %s : (!s) -> !c
  %w = nax.softmax %c along #S : (!c) -> !w
  // expected-error @below {{.values(): it makes numbers of each T for each Read<T>, which a step of numbers has for its new positions alone; between scores and dot<Read<T>> only softcap, bias, alibi and masks may be}}
  %n = nax.values %w : (!w) -> !nax.tensor<[#B, #T, #S], f32>
  return %x : !x
}

// All buffers on what is read would have to hold the old positions too.
// expected-error @below {{distances: the argument distance [T,Read<T>] has a place for each position of T that is read, and a step is given the new ones; make it of what stands on T, or of masks such as window<T>(n)}}
func.func @distances(%x: !x {nax.name = "x"}, %d: !nax.tensor<[#T, #S], f32> {nax.name = "distance"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  return %x : !x
}

// Rows start at positions of their own, so all that is cached has them.
func.func @shared_keys(%x: !x {nax.name = "x"}, %y: !nax.tensor<[#T, #D], f32> {nax.name = "y"}) -> (!x {nax.name = "z"}) attributes {nax.entry, nax.decode} {
  // expected-note @below {{[Read<T>,D] comes from here}}
  %k = nax.read %y along #T : (!nax.tensor<[#T, #D], f32>) -> !nax.tensor<[#S, #D], f32>
  // expected-error @below {{scores<D>: the keys [Read<T>,D] lack B, each row of which has new positions of its own in a step of shared_keys; spread<B>(...) them first}}
  %s = nax.scores %x, %k over #D scale 0.5 : (!x, !nax.tensor<[#S, #D], f32>) -> !s
  return %x : !x
}
// expected-error @below {{shared: the argument y [T,D] lacks B of x [B,T,D], each of whose rows has new positions of its own in a step; declare it on B too}}
func.func @shared(%x: !x {nax.name = "x"}, %y: !nax.tensor<[#T, #D], f32> {nax.name = "y"}) -> (!x {nax.name = "z"}) attributes {nax.entry, nax.decode} {
  %z = nax.add %x, %y : (!x, !nax.tensor<[#T, #D], f32>) -> !x
  return %z : !x
}

// What stands before T is rows, which are apart.
func.func @features_first(%x: !nax.tensor<[#D, #B, #T], f32> {nax.name = "x"}) -> (!nax.tensor<[#D, #B, #T], f32> {nax.name = "z"}) attributes {nax.entry, nax.decode} {
  %k = nax.read %x along #T : (!nax.tensor<[#D, #B, #T], f32>) -> !k
  // expected-error @below {{scores<D>: D stands before T in x, so it is rows, each with new positions of its own in a step of features_first; declare that argument with T before D}}
  %s = nax.scores %x, %k over #D scale 0.5 : (!nax.tensor<[#D, #B, #T], f32>, !k) -> !s
  return %x : !nax.tensor<[#D, #B, #T], f32>
}

// Too late.
func.func @fused(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  %k = nax.read %x along #T : (!x) -> !k
  // expected-error @below {{attention<Read<T>>: a step is derived from what nax-fuse-attention has not changed; run nax-derive-decode before it}}
  %y = nax.attention %x, %k, %k over #D along #S scale 0.5 causal : (!x, !k, !k) -> !x
  return %y : !x
}

// -----

// What is given once has all rows, or none.
#B = #nax.axis<"B">
#Y = #nax.axis<"Y">
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal>
!x = !nax.tensor<[#B, #Y, #T, #D], f32>
!e = !nax.tensor<[#B, #D], f32>
func.func @some_rows(%x: !x {nax.name = "x"}, %e: !e {nax.name = "e"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  // expected-error @below {{some_rows: [B,D] is computed once for all steps and has some of the rows, but not Y; spread<Y>(...) it, or take it as an argument on all of them}}
  %f = nax.silu %e : !e
  %y = nax.add %x, %f : (!x, !e) -> !x
  return %y : !x
}

// -----

// A parameter has as many positions as it has.
#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal, 8>
!x = !nax.tensor<[#B, #T, #D], f32>
func.func @places(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  // expected-error @below {{the parameter places stands on T, of which a step of places has only new positions; look it up: embed_positions<T>(x, table)}}
  %p = nax.param "places" : !nax.tensor<[#T, #D], f32>
  %q = nax.silu %p : !nax.tensor<[#T, #D], f32>
  %y = nax.add %x, %q : (!x, !nax.tensor<[#T, #D], f32>) -> !x
  return %y : !x
}

// -----

// The name is taken.
#T = #nax.axis<"T", causal>
!x = !nax.tensor<[#T], f32>
func.func @run(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  return %x : !x
}
// expected-error @below {{run_step is a function of the model already; rename it, since what is derived from run has that name}}
func.func @run_step(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry} {
  return %x : !x
}

// -----

// Lengths that something else than an operation on T takes.
#B = #nax.axis<"B">
#T = #nax.axis<"T", causal, ragged>
!x = !nax.tensor<[#B, #T], f32>
!n = !nax.tensor<[#B], i32>
// expected-error @below {{a step of run has no lengths or starts of T, which nothing but operations on it may take}}
func.func @run(%x: !x {nax.name = "x"}, %n: !n {nax.name = "T_lengths", nax.data = #T}) -> (!x {nax.name = "y"}, !n {nax.name = "n"}) attributes {nax.entry, nax.decode} {
  return %x, %n : !x, !n
}

// -----

// What is not there has no step.
#T = #nax.axis<"T", causal>
!x = !nax.tensor<[#T], f32>
// expected-error @below {{a step of run would need a body of @block, one list of operations}}
func.func private @block(!x) -> !x
func.func @run(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.decode} {
  %y = func.call @block(%x) : (!x) -> !x
  return %y : !x
}
