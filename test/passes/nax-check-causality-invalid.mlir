// Each way for the future to come in is found, with the way it took.
// RUN: nax-opt %s --nax-check-causality --split-input-file --verify-diagnostics

#C = #nax.axis<"C", 8>
#T = #nax.axis<"T", causal>
!x = !nax.tensor<[#T, #C], f32>
!mean = !nax.tensor<[#C], f32>

// The mean over T has seen what comes after t.
func.func @pooled_joins(%x: !x) -> !x {
  // expected-note @below {{every position of T is seen here}}
  %m = nax.mean %x over [#T] : (!x) -> !mean
  // expected-note @below {{which passes through here as [C]}}
  %g = nax.gelu %m : !mean
  // expected-error @below {{'nax.add' op lets the future in: [C] has seen every position of T and meets T here}}
  %y = nax.add %x, %g : (!x, !mean) -> !x
  return %y : !x
}

// The same, through a call and back.
// expected-note @below {{which is this argument}}
func.func private @twice(%m: !mean) -> !mean {
  // expected-note @below {{which passes through here as [C]}}
  %y = nax.add %m, %m : (!mean, !mean) -> !mean
  return %y : !mean
}
func.func @through_a_call(%x: !x) -> !nax.tensor<[#C, #T], f32> {
  // expected-note @below {{every position of T is seen here}}
  %m = nax.max %x over [#T] : (!x) -> !mean
  // expected-note @below {{which this call returns}}
  %g = func.call @twice(%m) : (!mean) -> !mean
  // expected-error @below {{'nax.spread' op lets the future in: [C] has seen every position of T and meets T here}}
  %y = nax.spread %g axis #T : (!mean) -> !nax.tensor<[#C, #T], f32>
  return %y : !nax.tensor<[#C, #T], f32>
}

// A softmax along T itself.
func.func @along_t(%x: !x) -> !nax.tensor<[#T, #C], f32> {
  // expected-error @below {{'nax.rms_norm' op lets the future in: it looks along all of the causal T and stays on it}}
  %y = nax.rms_norm %x, %x over [#T] eps 1.0e-5 : (!x, !x) -> !x
  return %y : !nax.tensor<[#T, #C], f32>
}

// Nothing is known of strangers.
func.func @stranger(%x: !x) -> !x {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op lets the future in: nothing is known of what position t of T takes in here}}
  %y = builtin.unrealized_conversion_cast %x : !x to !x
  return %y : !x
}

// -----

#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
!q = !nax.tensor<[#T, #D], f32>
!k = !nax.tensor<[#S, #D], f32>
!s = !nax.tensor<[#T, #S], f32, scores<#T, #S>>
!w = !nax.tensor<[#T, #S], f32, weights<#S>>

// Attention whose kinds say it is masked, but no operation did it.
func.func @unmasked(%q: !q) -> !q {
  // expected-note @below {{it is read here}}
  %k = nax.read %q along #T : (!q) -> !k
  // expected-error @below {{'nax.attention' op lets the future in: each position of T takes in all that [Read<T>,D] holds along Read<T>, later positions too; mask the scores by nax.causal_mask}}
  %o = nax.attention %q, %k, %k over #D along #S scale 0.5 : (!q, !k, !k) -> !q
  return %o : !q
}

// Scores that pair t with later positions are no causal result.
func.func @raw_scores(%q: !q) -> !s {
  // expected-note @below {{it is read here}}
  %k = nax.read %q along #T : (!q) -> !k
  // expected-note @below {{which passes through here as scores [T,Read<T>]}}
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s
  // expected-error @below {{gives the future away: scores [T,Read<T>] pairs each position of T with later ones, without a causal mask}}
  return %s : !s
}

// In a function that is called, the calls are part of the way.
func.func private @block(%q: !q) -> !q {
  // expected-note @below {{it is read here}}
  %k = nax.read %q along #T : (!q) -> !k
  // expected-error @below {{'nax.attention' op lets the future in}}
  %o = nax.attention %q, %k, %k over #D along #S scale 0.5 : (!q, !k, !k) -> !q
  return %o : !q
}
func.func @calls(%q: !q) -> !q {
  // expected-note @below {{in this call of block}}
  %o1 = func.call @block(%q) : (!q) -> !q
  %o2 = func.call @block(%o1) : (!q) -> !q
  return %o2 : !q
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
  // expected-error @below {{gives the future away: position t of [T,C] depends on the label of t, which is position t + 1 of T}}
  return %y : !x
}
