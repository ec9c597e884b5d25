// What nax.param and nax.dot refuse.
// RUN: nax-opt %s --verify-diagnostics

#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#C16 = #nax.axis<"C", 16>
#D = #nax.axis<"D", 4>
#F = #nax.axis<"F", 32>
#V = #nax.axis<"V", 16>
#T = #nax.axis<"T", causal>
#P = #nax.axis<"P", positions>
#ReadT = #nax.axis<read #T>
#K = #nax.axis<"K", 2>
#G = #nax.axis<"G", 3>
#H = #nax.axis<"H" = #K * #G>
#H2 = #nax.axis<"H2" = #G * #K>
#ReadP = #nax.axis<read #P>
#R = #nax.axis<"R", positions, ragged>

// A parameter is found by its path.
func.func @param_path() {
  // expected-error @below {{'nax.param' op expects a parameter to have a path}}
  %w = nax.param "" : !nax.tensor<[#C, #F], f32>
  return
}

// No line ends in it, nor any text of C.
func.func @param_path_line() {
  // expected-error @below {{'nax.param' op expects a path of one line without control characters}}
  %w = nax.param "a\0Ab" : !nax.tensor<[#C, #F], f32>
  return
}
func.func @param_path_nul() {
  // expected-error @below {{'nax.param' op expects a path of one line without control characters}}
  %w = nax.param "a\00b" : !nax.tensor<[#C, #F], f32>
  return
}

// What is stored is numbers.
func.func @param_kind() {
  // expected-error @below {{'nax.param' op expects a parameter to be plain numbers, but got ids [C]}}
  %w = nax.param "ids" : !nax.tensor<[#C], i32, ids<#V>>
  return
}

// A file has sizes, so a parameter has them too.
func.func @param_size() {
  // expected-error @below {{'nax.param' op expects the axes of a parameter to have fixed sizes, but B of [B,C] has none}}
  %w = nax.param "w" : !nax.tensor<[#B, #C], f32>
  return
}

// A sum is over something.
func.func @dot_over_nothing(%x: !nax.tensor<[#B, #C], f32>, %y: !nax.tensor<[#C, #F], f32>) {
  // expected-error @below {{'nax.dot' op dot([B,C], [C,F]): say the axis to sum over: dot<C>(x, y)  [N0010]}}
  %z = nax.dot %x, %y over [] : (!nax.tensor<[#B, #C], f32>, !nax.tensor<[#C, #F], f32>) -> !nax.tensor<[#B, #C, #F], f32>
  return
}

// F is not an axis of x.
func.func @dot_absent_axis(%x: !nax.tensor<[#B, #C], f32>, %y: !nax.tensor<[#C, #F], f32>) {
  // expected-error @below {{'nax.dot' op dot<F>: [B,C] has no axis F; only [C,F] has it: write dot<C>, or a sum over F alone is sum<F>(...)  [N0003]}}
  %z = nax.dot %x, %y over [#F] : (!nax.tensor<[#B, #C], f32>, !nax.tensor<[#C, #F], f32>) -> !nax.tensor<[#B, #C], f32>
  return
}

// Each position would meet itself alone.
func.func @dot_diagonal(%x: !nax.tensor<[#T, #C], f32>, %y: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.dot' op dot<C>: both [T,C] and [T,C] stand on T, so each position would meet only itself (the diagonal); read one: dot<C>(x, read<T>(y)), or sum<C>(x * y) if that is meant  [N0004]}}
  %z = nax.dot %x, %y over [#C] : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T], f32>
  return
}

// Plain numbers are not known to be masked.
func.func @dot_of_plain_numbers(%x: !nax.tensor<[#T, #ReadT], f32>, %y: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.dot' op dot<Read<T>>: [T,Read<T>] would take in every position of the causal T at each T; only softmax weights may mix them, not their .values()  [N0025]}}
  %z = nax.dot %x, %y over [#ReadT] : (!nax.tensor<[#T, #ReadT], f32>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #D], f32>
  return
}

// Weights sum to 1 over Read<T>, not over D.
func.func @dot_other_axis_of_weights(%w: !nax.tensor<[#T, #D, #ReadT], f32, weights<#ReadT>>, %y: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.dot' op dot<D>: weights [T,D,Read<T>] sum to 1 over Read<T>, so only Read<T> may be mixed away: write dot<Read<T>>(w, v)  [N0023]}}
  %z = nax.dot %w, %y over [#D] : (!nax.tensor<[#T, #D, #ReadT], f32, weights<#ReadT>>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #ReadT], f32>
  return
}

// Nor are they read along one sequence and the values along another.
func.func @dot_values_of_other(%w: !nax.tensor<[#T, #ReadP], f32, weights<#ReadP>>, %y: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.dot' op dot<Read<P>>: the values [Read<T>,D] stand on Read<T>, but weights [T,Read<P>] read P: mix what is read there: dot<Read<P>>(w, read<P>(v))  [N0024]}}
  %z = nax.dot %w, %y over [#ReadP] : (!nax.tensor<[#T, #ReadP], f32, weights<#ReadP>>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #ReadT, #D], f32>
  return
}

// A query meets a key in nax.scores, which has the scale.
func.func @dot_match(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.dot' op dot<D>: a match of [T,D] with what is read, [Read<T>,D], lacks its scale; write scores<D>(q, k), or scores<D>(q, k, Scale{1}) if none is meant  [N0016]}}
  %s = nax.dot %k, %q over [#D] : (!nax.tensor<[#ReadT, #D], f32>, !nax.tensor<[#T, #D], f32>) -> !nax.tensor<[#ReadT, #T], f32>
  return
}

// Values are what is read.
func.func @dot_values_not_read(%w: !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>, %y: !nax.tensor<[#T, #D], f32>) {
  // expected-error @below {{'nax.dot' op dot<Read<T>>: the values [T,D] stand on T, the querying positions; mix what is read: dot<Read<T>>(w, read<T>(v))  [N0024]}}
  %z = nax.dot %w, %y over [#ReadT] : (!nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>, !nax.tensor<[#T, #D], f32>) -> !nax.tensor<[#T, #D], f32>
  return
}

func.func @dot_values_of_another_sequence(%w: !nax.tensor<[#T, #ReadP], f32, weights<#ReadP>>, %y: !nax.tensor<[#P, #D], f32>) {
  // expected-error @below {{'nax.dot' op dot<Read<P>>: the values [P,D] stand on P, but weights [T,Read<P>] read Read<P>: write dot<Read<P>>(w, read<P>(v))  [N0024]}}
  %z = nax.dot %w, %y over [#ReadP] : (!nax.tensor<[#T, #ReadP], f32, weights<#ReadP>>, !nax.tensor<[#P, #D], f32>) -> !nax.tensor<[#T, #P, #D], f32>
  return
}

// Ids are no numbers.
func.func @dot_of_ids(%x: !nax.tensor<[#B, #C], i32, ids<#V>>, %y: !nax.tensor<[#C, #F], f32>) {
  // expected-error @below {{'nax.dot' op dot: ids [B,C] are indices into V, not numbers; look them up: embed<V>(ids, table)  [N0039]}}
  %z = nax.dot %x, %y over [#C] : (!nax.tensor<[#B, #C], i32, ids<#V>>, !nax.tensor<[#C, #F], f32>) -> !nax.tensor<[#B, #F], f32>
  return
}

// Nothing is converted unasked.
func.func @dot_mixed_numbers(%x: !nax.tensor<[#B, #C], f32>, %y: !nax.tensor<[#C, #F], bf16>) {
  // expected-error @below {{'nax.dot' op dot: [B,C] is f32 and [C,F] is bf16; convert one: to<f32>(...)  [N0044]}}
  %z = nax.dot %x, %y over [#C] : (!nax.tensor<[#B, #C], f32>, !nax.tensor<[#C, #F], bf16>) -> !nax.tensor<[#B, #F], f32>
  return
}

// One name is one axis.
func.func @dot_two_declarations(%x: !nax.tensor<[#B, #C, #D], f32>, %y: !nax.tensor<[#C16, #D], f32>) {
  // expected-error @below {{'nax.dot' op dot: C of [B,C,D] and C of [C,D] are two declarations of one name (sizes 8 and 16); use one, or give them two names  [N0002]}}
  %z = nax.dot %x, %y over [#D] : (!nax.tensor<[#B, #C, #D], f32>, !nax.tensor<[#C16, #D], f32>) -> !nax.tensor<[#B, #C], f32>
  return
}

// A pooled value may not come back to T.
func.func @dot_whole(%x: !nax.tensor<[#T, #C], f32>, %y: !nax.tensor<[#C, #F], f32, whole #T>) {
  // expected-error @below {{'nax.dot' op dot: [C,F] has seen every position of the causal T; joining it to [T,C] tells position t what comes after it  [N0025]}}
  %z = nax.dot %x, %y over [#C] : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#C, #F], f32, whole #T>) -> !nax.tensor<[#T, #F], f32>
  return
}

// C was summed.
func.func @dot_result(%x: !nax.tensor<[#B, #C], f32>, %y: !nax.tensor<[#C, #F], f32>) {
  // expected-error @below {{'nax.dot' op expects the result [B,F] of f32, but got [B,C,F] of f32}}
  %z = nax.dot %x, %y over [#C] : (!nax.tensor<[#B, #C], f32>, !nax.tensor<[#C, #F], f32>) -> !nax.tensor<[#B, #C, #F], f32>
  return
}

// Neither has V.
func.func @dot_absent_axis_of_both(%x: !nax.tensor<[#B, #C], f32>, %y: !nax.tensor<[#C, #F], f32>) {
  // expected-error @below {{'nax.dot' op dot<V>: [B,C] has no axis V; both have C: write dot<C>  [N0001]}}
  %z = nax.dot %x, %y over [#V] : (!nax.tensor<[#B, #C], f32>, !nax.tensor<[#C, #F], f32>) -> !nax.tensor<[#B, #F], f32>
  return
}

// The same factors in another order are another axis.
func.func @dot_other_order(%x: !nax.tensor<[#B, #H], f32>, %y: !nax.tensor<[#H2, #F], f32>) {
  // expected-error @below {{'nax.dot' op dot<H2>: [B,H] has no axis H2; its H = K x G has the same parts in another order: write merge<H2>(split<H>(x)), or use one of the two  [N0006]}}
  %z = nax.dot %x, %y over [#H2] : (!nax.tensor<[#B, #H], f32>, !nax.tensor<[#H2, #F], f32>) -> !nax.tensor<[#B, #F], f32>
  return
}

// Each of six heads would mix the values of both key heads.
func.func @dot_heads_of_values(%w: !nax.tensor<[#T, #H, #ReadT], f32, weights<#ReadT>>, %v: !nax.tensor<[#ReadT, #K, #D], f32>) {
  // expected-error @below {{'nax.dot' op dot<Read<T>>: the values [Read<T>,K,D] have K, which is inside H = K x G of weights [T,H,Read<T>]: write split<H>(q) before scores  [N0008]}}
  %z = nax.dot %w, %v over [#ReadT] : (!nax.tensor<[#T, #H, #ReadT], f32, weights<#ReadT>>, !nax.tensor<[#ReadT, #K, #D], f32>) -> !nax.tensor<[#T, #H, #K, #D], f32>
  return
}

// A sum is over an axis once.
func.func @dot_axis_twice(%x: !nax.tensor<[#B, #C], f32>, %y: !nax.tensor<[#C, #F], f32>) {
  // expected-error @below {{'nax.dot' op dot<C,C>: C is named twice  [N0011]}}
  %z = nax.dot %x, %y over [#C, #C] : (!nax.tensor<[#B, #C], f32>, !nax.tensor<[#C, #F], f32>) -> !nax.tensor<[#B, #F], f32>
  return
}

// Rows end before their last position.
func.func @dot_without_data(%x: !nax.tensor<[#B, #R], f32>, %y: !nax.tensor<[#B, #R, #C], f32>) {
  // expected-error @below {{'nax.dot' op expects the lengths of the ragged axis R as its data}}
  %z = nax.dot %x, %y over [#R] : (!nax.tensor<[#B, #R], f32>, !nax.tensor<[#B, #R, #C], f32>) -> !nax.tensor<[#B, #C], f32>
  return
}

// All of C is there.
func.func @dot_needless_data(%x: !nax.tensor<[#B, #C], f32>, %y: !nax.tensor<[#C, #F], f32>, %n: !nax.tensor<[#B], i32>) {
  // expected-error @below {{'nax.dot' op expects no data, since its axes have all positions}}
  %z = nax.dot %x, %y data %n over [#C] : (!nax.tensor<[#B, #C], f32>, !nax.tensor<[#C, #F], f32>, !nax.tensor<[#B], i32>) -> !nax.tensor<[#B, #F], f32>
  return
}

#rope = #nax.rope<base = 1.0e4, pairing = halves, scaling = 1.0, dims = 0>

// Values are not rotated.
func.func @dot_rotated_values(%w: !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>, %v: !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #rope>>) {
  // expected-error @below {{'nax.dot' op dot<Read<T>>: the values rotated [Read<T>,D] are rotated; rope is for queries and keys only  [N0035]}}
  %y = nax.dot %w, %v over [#ReadT] : (!nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>, !nax.tensor<[#ReadT, #D], f32, rotated<#ReadT, #D, #rope>>) -> !nax.tensor<[#T, #D], f32>
  return
}

// Nor are they projected.
func.func @dot_rotated(%x: !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, %w: !nax.tensor<[#D, #F], f32>) {
  // expected-error @below {{'nax.dot' op dot: rotated [T,D] is rotated and is only for scores<D>(q, k); do this before rope  [N0035]}}
  %y = nax.dot %x, %w over [#D] : (!nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>, !nax.tensor<[#D, #F], f32>) -> !nax.tensor<[#T, #F], f32>
  return
}

// Logits do not sum to 1.
func.func @dot_logits(%x: !nax.tensor<[#T, #V], f32, logits<#V>>, %e: !nax.tensor<[#V, #C], f32>) {
  // expected-error @below {{'nax.dot' op dot<V>: logits [T,V] are logits, not weights; softmax<V>(logits) makes weights  [N0042]}}
  %y = nax.dot %x, %e over [#V] : (!nax.tensor<[#T, #V], f32, logits<#V>>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}
