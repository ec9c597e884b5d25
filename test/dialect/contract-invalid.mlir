// What nax.param and nax.dot refuse.
// RUN: nax-opt %s --verify-diagnostics

#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#C16 = #nax.axis<"C", 16>
#D = #nax.axis<"D", 4>
#F = #nax.axis<"F", 32>
#V = #nax.axis<"V", 16>
#T = #nax.axis<"T", causal>
#ReadT = #nax.axis<read #T>

// A parameter is found by its path.
func.func @param_path() {
  // expected-error @below {{'nax.param' op expects a parameter to have a path}}
  %w = nax.param "" : !nax.tensor<[#C, #F], f32>
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
  // expected-error @below {{'nax.dot' op dot([B,C], [C,F]): say the axis to sum over: dot<C>(x, y)}}
  %z = nax.dot %x, %y over [] : (!nax.tensor<[#B, #C], f32>, !nax.tensor<[#C, #F], f32>) -> !nax.tensor<[#B, #C, #F], f32>
  return
}

// F is not an axis of x.
func.func @dot_absent_axis(%x: !nax.tensor<[#B, #C], f32>, %y: !nax.tensor<[#C, #F], f32>) {
  // expected-error @below {{'nax.dot' op dot<F>: [B,C] has no axis F}}
  %z = nax.dot %x, %y over [#F] : (!nax.tensor<[#B, #C], f32>, !nax.tensor<[#C, #F], f32>) -> !nax.tensor<[#B, #C], f32>
  return
}

// Each position would meet itself alone.
func.func @dot_diagonal(%x: !nax.tensor<[#T, #C], f32>, %y: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.dot' op dot<C>: both [T,C] and [T,C] stand on T, so only each position with itself would meet (the diagonal)}}
  %z = nax.dot %x, %y over [#C] : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T], f32>
  return
}

// Plain numbers are not known to be masked.
func.func @dot_of_plain_numbers(%x: !nax.tensor<[#T, #ReadT], f32>, %y: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.dot' op dot<Read<T>>: [T,Read<T>] would take in every position of the causal T at each T; only softmax weights may mix them}}
  %z = nax.dot %x, %y over [#ReadT] : (!nax.tensor<[#T, #ReadT], f32>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #D], f32>
  return
}

// Weights sum to 1 over Read<T>, not over D.
func.func @dot_other_axis_of_weights(%w: !nax.tensor<[#T, #D, #ReadT], f32, weights<#ReadT>>, %y: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.dot' op dot<D>: weights [T,D,Read<T>] sum to 1 over Read<T>, so only Read<T> may be mixed away}}
  %z = nax.dot %w, %y over [#D] : (!nax.tensor<[#T, #D, #ReadT], f32, weights<#ReadT>>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #ReadT], f32>
  return
}

// Values are what is read.
func.func @dot_values_not_read(%w: !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>, %y: !nax.tensor<[#T, #D], f32>) {
  // expected-error @below {{'nax.dot' op dot<Read<T>>: the values [T,D] stand on T, the querying positions}}
  %z = nax.dot %w, %y over [#ReadT] : (!nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>, !nax.tensor<[#T, #D], f32>) -> !nax.tensor<[#T, #D], f32>
  return
}

// Ids are no numbers.
func.func @dot_of_ids(%x: !nax.tensor<[#B, #C], i32, ids<#V>>, %y: !nax.tensor<[#C, #F], f32>) {
  // expected-error @below {{'nax.dot' op dot: ids [B,C] are indices into V, not numbers}}
  %z = nax.dot %x, %y over [#C] : (!nax.tensor<[#B, #C], i32, ids<#V>>, !nax.tensor<[#C, #F], f32>) -> !nax.tensor<[#B, #F], f32>
  return
}

// Nothing is converted unasked.
func.func @dot_mixed_numbers(%x: !nax.tensor<[#B, #C], f32>, %y: !nax.tensor<[#C, #F], bf16>) {
  // expected-error @below {{'nax.dot' op dot: [B,C] is f32 and [C,F] is bf16}}
  %z = nax.dot %x, %y over [#C] : (!nax.tensor<[#B, #C], f32>, !nax.tensor<[#C, #F], bf16>) -> !nax.tensor<[#B, #F], f32>
  return
}

// One name is one axis.
func.func @dot_two_declarations(%x: !nax.tensor<[#B, #C, #D], f32>, %y: !nax.tensor<[#C16, #D], f32>) {
  // expected-error @below {{'nax.dot' op dot: C of [B,C,D] and C of [C,D] are two declarations of one name (sizes 8 and 16)}}
  %z = nax.dot %x, %y over [#D] : (!nax.tensor<[#B, #C, #D], f32>, !nax.tensor<[#C16, #D], f32>) -> !nax.tensor<[#B, #C], f32>
  return
}

// A pooled value may not come back to T.
func.func @dot_whole(%x: !nax.tensor<[#T, #C], f32>, %y: !nax.tensor<[#C, #F], f32, whole #T>) {
  // expected-error @below {{'nax.dot' op dot: [C,F] has seen every position of the causal T}}
  %z = nax.dot %x, %y over [#C] : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#C, #F], f32, whole #T>) -> !nax.tensor<[#T, #F], f32>
  return
}

// C was summed.
func.func @dot_result(%x: !nax.tensor<[#B, #C], f32>, %y: !nax.tensor<[#C, #F], f32>) {
  // expected-error @below {{'nax.dot' op expects the result [B,F] of f32, but got [B,C,F] of f32}}
  %z = nax.dot %x, %y over [#C] : (!nax.tensor<[#B, #C], f32>, !nax.tensor<[#C, #F], f32>) -> !nax.tensor<[#B, #C, #F], f32>
  return
}
