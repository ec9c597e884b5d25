// Each way for the future to come in that types let pass is found, with the way
// it took.
// RUN: nax-opt %s --nax-check-causality --split-input-file --verify-diagnostics

#C = #nax.axis<"C", 8>
#T = #nax.axis<"T", causal>
!x = !nax.tensor<[#T, #C], f32>
!mean = !nax.tensor<[], f32>

// One number may drop that it has seen all of T; meeting T again is a leak.
func.func @pooled_joins(%x: !x) -> !x {
  // expected-note @below {{every position of T is seen here}}
  %m = nax.mean %x over [#T, #C] : (!x) -> !mean
  // expected-note @below {{which passes through here as []}}
  %g = nax.gelu %m : !mean
  // expected-error @below {{'nax.add' op lets the future in: [] has seen every position of T and meets T here  [N0025]}}
  %y = nax.add %x, %g : (!x, !mean) -> !x
  return %y : !x
}

// -----

#C = #nax.axis<"C", 8>
#T = #nax.axis<"T", causal>
!x = !nax.tensor<[#T, #C], f32>
!mean = !nax.tensor<[], f32>

// The same, through a call and back.
// expected-note @below {{which is this argument}}
func.func private @twice(%m: !mean) -> !mean {
  // expected-note @below {{which passes through here as []}}
  %y = nax.add %m, %m : (!mean, !mean) -> !mean
  return %y : !mean
}
func.func @returned_by_a_call(%x: !x) -> !nax.tensor<[#T], f32> {
  // expected-note @below {{every position of T is seen here}}
  %m = nax.max %x over [#T, #C] : (!x) -> !mean
  // expected-note @below {{which this call returns}}
  %g = func.call @twice(%m) : (!mean) -> !mean
  // expected-error @below {{'nax.spread' op lets the future in: [] has seen every position of T and meets T here  [N0025]}}
  %y = nax.spread %g axis #T : (!mean) -> !nax.tensor<[#T], f32>
  return %y : !nax.tensor<[#T], f32>
}

// -----

#C = #nax.axis<"C", 8>
#T = #nax.axis<"T", causal>
!x = !nax.tensor<[#T, #C], f32>
!mean = !nax.tensor<[], f32>

// In a function that is called, the first call is part of the way; it is said
// once.
func.func private @scale(%x: !x,
  // expected-note @below {{which is this argument}}
    %m: !mean) -> !x {
  // expected-error @below {{'nax.mul' op lets the future in: [] has seen every position of T and meets T here  [N0025]}}
  %y = nax.mul %x, %m : (!x, !mean) -> !x
  return %y : !x
}
func.func @given_to_a_call(%x: !x) -> !x {
  // expected-note @below {{every position of T is seen here}}
  %m = nax.sum %x over [#C, #T] : (!x) -> !mean
  // expected-note @below {{in this call of scale}}
  %y1 = func.call @scale(%x, %m) : (!x, !mean) -> !x
  %y2 = func.call @scale(%y1, %m) : (!x, !mean) -> !x
  return %y2 : !x
}

// -----

#C = #nax.axis<"C", 8>
#T = #nax.axis<"T", causal>
!x = !nax.tensor<[#T, #C], f32>

// Nothing is known of strangers, and of functions without a body.
func.func private @elsewhere(!x) -> !x
func.func @strangers(%x: !x) -> (!x, !x) {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op lets the future in: nothing is known of what position t of T takes in here  [N0025]}}
  %y = builtin.unrealized_conversion_cast %x : !x to !x
  // expected-error @below {{'func.call' op lets the future in: nothing is known of what position t of T takes in here  [N0025]}}
  %z = func.call @elsewhere(%x) : (!x) -> !x
  return %y, %z : !x, !x
}

// -----

#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
!q = !nax.tensor<[#T, #D], f32>
!k = !nax.tensor<[#S, #D], f32>
!s = !nax.tensor<[#T, #S], f32, scores<#T, #S>>
!m = !nax.tensor<[#T, #S], f32, scores<#T, #S, masked, causally>>
!w = !nax.tensor<[#T, #S], f32, weights<#S>>

// The type says that a causal mask was applied, but no operation did it.
// expected-note @below {{scores [T,Read<T>] is an argument}}
func.func @unmasked(%m: !m) -> !w {
  // expected-error @below {{'nax.softmax' op lets the future in: each position of T takes in all that scores [T,Read<T>] holds along Read<T>, later positions too; mask the scores by nax.causal_mask  [N0025]}}
  %w = nax.softmax %m along #S : (!m) -> !w
  return %w : !w
}

// Weights that somebody else made may be of any kind.
// expected-note @below {{weights [T,Read<T>] is an argument}}
func.func @foreign_weights(%w: !w, %k: !k) -> !q {
  // expected-error @below {{'nax.dot' op lets the future in: each position of T takes in all that weights [T,Read<T>] holds along Read<T>, later positions too; mask the scores by nax.causal_mask  [N0025]}}
  %o = nax.dot %w, %k over [#S] : (!w, !k) -> !q
  return %o : !q
}

// Scores that pair t with later positions are no causal result.
func.func @raw_scores(%q: !q) -> !s {
  // expected-note @below {{it is read here}}
  %k = nax.read %q along #T : (!q) -> !k
  // expected-note @below {{which passes through here as scores [T,Read<T>]}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s
  // expected-error @below {{gives the future away: scores [T,Read<T>] pairs each position of T with later ones, without a causal mask  [N0025]}}
  return %s : !s
}

// -----

#V = #nax.axis<"V", 16>
#C = #nax.axis<"C", 8>
#T = #nax.axis<"T", causal>
#N = #nax.axis<next #T>
!x = !nax.tensor<[#T, #C], f32>
!logits = !nax.tensor<[#T, #V], f32, logits<#V>>
!losses = !nax.tensor<[#T], f32, losses<#T>>

// A loss knows the label, so what is made of it may not be given to position t.
func.func @loss_feeds_back(%x: !x, %logits: !logits, %ids: !nax.tensor<[#T], i32, ids<#V>>) -> !x {
  // expected-note @below {{position t gets what belongs to t + 1 here}}
  %next = nax.next %ids along #T : (!nax.tensor<[#T], i32, ids<#V>>) -> !nax.tensor<[#N], i32, ids<#V>>
  // expected-note @below {{which passes through here as losses [T]}}
  %l = nax.cross_entropy %logits, %next over #V : (!logits, !nax.tensor<[#N], i32, ids<#V>>) -> !losses
  // expected-note @below {{which passes through here as [T]}}
  %v = nax.values %l : (!losses) -> !nax.tensor<[#T], f32>
  // expected-note @below {{which passes through here as [T,C]}}
  %y = nax.add %x, %v : (!x, !nax.tensor<[#T], f32>) -> !x
  // expected-error @below {{gives the future away: position t of [T,C] depends on the label of t, which is position t + 1 of T  [N0025]}}
  return %y : !x
}

// -----

// Nothing would ever be proved of what only calls itself.
#C = #nax.axis<"C", 8>
!x = !nax.tensor<[#C], f32>
func.func private @ping(%x: !x) -> !x {
  %y = func.call @pong(%x) : (!x) -> !x
  return %y : !x
}
func.func private @pong(%x: !x) -> !x {
  // expected-error @below {{'func.call' op makes ping call itself without an end}}
  %y = func.call @ping(%x) : (!x) -> !x
  return %y : !x
}

// -----

// One entry in another.
#C = #nax.axis<"C", 8>
!x = !nax.tensor<[#C], f32>
func.func @inner(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry} {
  return %x : !x
}
func.func @outer(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry} {
  // expected-error @below {{'func.call' op of the entry inner; entries are called from outside alone}}
  %y = func.call @inner(%x) : (!x) -> !x
  return %y : !x
}

// -----

#V = #nax.axis<"V", 16>
#T = #nax.axis<"T", causal>
#N = #nax.axis<next #T>
!logits = !nax.tensor<[#T, #V], f32, logits<#V>>
!losses = !nax.tensor<[#T], f32, losses<#T>>

// The losses themselves may be a result, for each t knows its label; plain numbers say nothing of it.
func.func @losses_as_numbers(%logits: !logits, %ids: !nax.tensor<[#T], i32, ids<#V>>) -> (!losses, !nax.tensor<[#T], f32>) {
  // expected-note @below {{position t gets what belongs to t + 1 here}}
  %next = nax.next %ids along #T : (!nax.tensor<[#T], i32, ids<#V>>) -> !nax.tensor<[#N], i32, ids<#V>>
  // expected-note @below {{which passes through here as losses [T]}}
  %l = nax.cross_entropy %logits, %next over #V : (!logits, !nax.tensor<[#N], i32, ids<#V>>) -> !losses
  // expected-note @below {{which passes through here as [T]}}
  %v = nax.values %l : (!losses) -> !nax.tensor<[#T], f32>
  // expected-error @below {{position t + 1 of T; losses may be given as they are, without .values()  [N0025]}}
  return %l, %v : !losses, !nax.tensor<[#T], f32>
}

// -----

// A type says of one sequence that it was seen whole; the proof follows both.
#C = #nax.axis<"C", 8>
#T = #nax.axis<"T", causal>
#U = #nax.axis<"U", causal>
func.func @two_sequences(%x: !nax.tensor<[#T, #C], f32>, %y: !nax.tensor<[#U, #C], f32>) -> !nax.tensor<[#U, #C], f32, whole #T> {
  %mx = nax.mean %x over [#T] : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#C], f32, whole #T>
  // expected-note @below {{every position of U is seen here}}
  %my = nax.mean %y over [#U] : (!nax.tensor<[#U, #C], f32>) -> !nax.tensor<[#C], f32, whole #U>
  // expected-note @below {{which passes through here as [C]}}
  %both = nax.mul %mx, %my : (!nax.tensor<[#C], f32, whole #T>, !nax.tensor<[#C], f32, whole #U>) -> !nax.tensor<[#C], f32, whole #T>
  // expected-error @below {{'nax.add' op lets the future in: [C] has seen every position of U and meets U here  [N0025]}}
  %z = nax.add %y, %both : (!nax.tensor<[#U, #C], f32>, !nax.tensor<[#C], f32, whole #T>) -> !nax.tensor<[#U, #C], f32, whole #T>
  return %z : !nax.tensor<[#U, #C], f32, whole #T>
}
