// What labels and losses refuse.
// RUN: nax-opt %s --verify-diagnostics

#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#V = #nax.axis<"V", 16>
#W = #nax.axis<"W", 16>
#T = #nax.axis<"T", causal>
#P = #nax.axis<"P", positions>
#R = #nax.axis<"R", positions, ragged>
#NextT = #nax.axis<next #T>
#NextR = #nax.axis<next #R>

// Probabilities are no logits.
func.func @logits_weights(%x: !nax.tensor<[#T, #C], f32, weights<#C>>) {
  // expected-error @below {{'nax.logits' op logits<C>: weights [T,C] are weights, not logits; give the numbers before softmax<C>  [N0042]}}
  %l = nax.logits %x over #C : (!nax.tensor<[#T, #C], f32, weights<#C>>) -> !nax.tensor<[#T, #C], f32, logits<#C>>
  return
}

// Positions are no classes.
func.func @logits_sequence(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.logits' op logits<T>: T of [T,C] is a sequence, not a vocabulary  [N0009]}}
  %l = nax.logits %x over #T : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32, logits<#T>>
  return
}

// Labels are ids.
func.func @next_numbers(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.next' op next<T>: [T,C] are not ids; labels are next<T>(ids)  [N0026]}}
  %n = nax.next %x along #T : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#NextT, #C], f32>
  return
}

// One shift is enough.
func.func @next_twice(%i: !nax.tensor<[#B, #NextT], i32, ids<#V>>) {
  // expected-error @below {{'nax.next' op next<T>: ids [B,Next<T>] is shifted already; shift once  [N0027]}}
  %n = nax.next %i along #T : (!nax.tensor<[#B, #NextT], i32, ids<#V>>) -> !nax.tensor<[#B, #NextT], i32, ids<#V>>
  return
}

// Rows have no next.
func.func @next_rows(%i: !nax.tensor<[#B], i32, ids<#V>>) {
  // expected-error @below {{'nax.next' op next<B>: B is not a sequence  [N0028]}}
  %n = nax.next %i along #B : (!nax.tensor<[#B], i32, ids<#V>>) -> !nax.tensor<[#B], i32, ids<#V>>
  return
}

// They stand on Next<T> now.
func.func @next_result(%i: !nax.tensor<[#T], i32, ids<#V>>) {
  // expected-error @below {{'nax.next' op expects the result [Next<T>] of i32, ids<V>, but got [T] of i32, ids<V>}}
  %n = nax.next %i along #T : (!nax.tensor<[#T], i32, ids<#V>>) -> !nax.tensor<[#T], i32, ids<#V>>
  return
}

// Position t predicts t + 1.
func.func @cross_entropy_unshifted(%x: !nax.tensor<[#B, #T, #V], f32, logits<#V>>, %i: !nax.tensor<[#B, #T], i32, ids<#V>>) {
  // expected-error @below {{'nax.cross_entropy' op cross_entropy<V>: the labels ids [B,T] stand on T, but position t of logits [B,T,V] predicts what comes next: write next<T>(ids), or declare labels shifted before on Next<T>  [N0026]}}
  %l = nax.cross_entropy %x, %i over #V : (!nax.tensor<[#B, #T, #V], f32, logits<#V>>, !nax.tensor<[#B, #T], i32, ids<#V>>) -> !nax.tensor<[#B, #T], f32>
  return
}

// It takes logits.
func.func @cross_entropy_weights(%x: !nax.tensor<[#B, #T, #V], f32, weights<#V>>, %i: !nax.tensor<[#B, #NextT], i32, ids<#V>>) {
  // expected-error @below {{'nax.cross_entropy' op cross_entropy<V>: weights [B,T,V] are probabilities already; it takes logits: drop the softmax  [N0042]}}
  %l = nax.cross_entropy %x, %i over #V : (!nax.tensor<[#B, #T, #V], f32, weights<#V>>, !nax.tensor<[#B, #NextT], i32, ids<#V>>) -> !nax.tensor<[#B, #T], f32, losses<#T>>
  return
}

// Labels are ids.
func.func @cross_entropy_numbers(%x: !nax.tensor<[#B, #T, #V], f32, logits<#V>>, %i: !nax.tensor<[#B, #NextT], i32>) {
  // expected-error @below {{'nax.cross_entropy' op cross_entropy<V>: the labels [B,Next<T>] are not ids; they are Tensor<Ids<V>, ...>  [N0028]}}
  %l = nax.cross_entropy %x, %i over #V : (!nax.tensor<[#B, #T, #V], f32, logits<#V>>, !nax.tensor<[#B, #NextT], i32>) -> !nax.tensor<[#B, #T], f32, losses<#T>>
  return
}

// They index W.
func.func @cross_entropy_other(%x: !nax.tensor<[#B, #T, #V], f32, logits<#V>>, %i: !nax.tensor<[#B, #NextT], i32, ids<#W>>) {
  // expected-error @below {{'nax.cross_entropy' op cross_entropy<V>: the labels index W, the logits are over V  [N0028]}}
  %l = nax.cross_entropy %x, %i over #V : (!nax.tensor<[#B, #T, #V], f32, logits<#V>>, !nax.tensor<[#B, #NextT], i32, ids<#W>>) -> !nax.tensor<[#B, #T], f32, losses<#T>>
  return
}

// Each row has its labels.
func.func @cross_entropy_rows(%x: !nax.tensor<[#B, #T, #V], f32, logits<#V>>, %i: !nax.tensor<[#NextT], i32, ids<#V>>) {
  // expected-error @below {{'nax.cross_entropy' op cross_entropy<V>: the labels ids [Next<T>] have nothing for B of logits [B,T,V]  [N0028]}}
  %l = nax.cross_entropy %x, %i over #V : (!nax.tensor<[#B, #T, #V], f32, logits<#V>>, !nax.tensor<[#NextT], i32, ids<#V>>) -> !nax.tensor<[#B, #T], f32, losses<#T>>
  return
}

// Where does a ragged row end?
func.func @cross_entropy_no_lengths(%x: !nax.tensor<[#B, #R, #V], f32, logits<#V>>, %i: !nax.tensor<[#B, #NextR], i32, ids<#V>>) {
  // expected-error @below {{'nax.cross_entropy' op expects the lengths of the ragged axis R as its data}}
  %l = nax.cross_entropy %x, %i over #V : (!nax.tensor<[#B, #R, #V], f32, logits<#V>>, !nax.tensor<[#B, #NextR], i32, ids<#V>>) -> !nax.tensor<[#B, #R], f32, losses<#R>>
  return
}

// A label for each position of P.
func.func @cross_entropy_needless(%x: !nax.tensor<[#B, #P, #V], f32, logits<#V>>, %i: !nax.tensor<[#B, #P], i32, ids<#V>>, %n: !nax.tensor<[#B], i32>) {
  // expected-error @below {{'nax.cross_entropy' op expects no data, since every position has a label}}
  %l = nax.cross_entropy %x, %i data %n over #V : (!nax.tensor<[#B, #P, #V], f32, logits<#V>>, !nax.tensor<[#B, #P], i32, ids<#V>>, !nax.tensor<[#B], i32>) -> !nax.tensor<[#B, #P], f32>
  return
}

// The last position has no label.
func.func @cross_entropy_result(%x: !nax.tensor<[#B, #T, #V], f32, logits<#V>>, %i: !nax.tensor<[#B, #NextT], i32, ids<#V>>) {
  // expected-error @below {{'nax.cross_entropy' op expects the result [B,T] of f32, losses<T>, but got [B,T] of f32}}
  %l = nax.cross_entropy %x, %i over #V : (!nax.tensor<[#B, #T, #V], f32, logits<#V>>, !nax.tensor<[#B, #NextT], i32, ids<#V>>) -> !nax.tensor<[#B, #T], f32>
  return
}

// Logits that were computed from the labels.
func.func @cross_entropy_of_labels(%x: !nax.tensor<[#B, #NextT, #V], f32, logits<#V>>, %i: !nax.tensor<[#B, #NextT], i32, ids<#V>>) {
  // expected-error @below {{'nax.cross_entropy' op cross_entropy<V>: logits [B,Next<T>,V] stand on Next<T>, as the labels do, so they were computed from what they predict; compute them from ids on T  [N0026]}}
  %l = nax.cross_entropy %x, %i over #V : (!nax.tensor<[#B, #NextT, #V], f32, logits<#V>>, !nax.tensor<[#B, #NextT], i32, ids<#V>>) -> !nax.tensor<[#B, #NextT], f32>
  return
}
