// What makes axes go away refuses.
// RUN: nax-opt %s --verify-diagnostics

#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#D = #nax.axis<"D", 4>
#F = #nax.axis<"F", 32>
#V = #nax.axis<"V", 16>
#W = #nax.axis<"W", 16>
#T = #nax.axis<"T", causal>
#P = #nax.axis<"P", positions>
#R = #nax.axis<"R", positions, ragged>
#R2 = #nax.axis<"R2", positions, ragged>
#Z = #nax.axis<"Z", causal, packed>
#L = #nax.axis<"L", positions, left_padded>
#ReadT = #nax.axis<read #T>

// A sum is over something.
func.func @sum_over_nothing(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.sum' op sum: say the axis: sum<C>(x)  [N0010]}}
  %y = nax.sum %x over [] : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// There is no V.
func.func @sum_absent(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.sum' op sum<V>: [T,C] has no axis V; its features are C  [N0001]}}
  %y = nax.sum %x over [#V] : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// Each axis goes away once.
func.func @sum_twice(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.sum' op sum<C,C>: C is named twice  [N0011]}}
  %y = nax.sum %x over [#C, #C] : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T], f32>
  return
}

// Weights mix values, their sum is 1.
func.func @sum_weights(%x: !nax.tensor<[#T, #C], f32, weights<#C>>) {
  // expected-error @below {{'nax.sum' op sum: weights [T,C] are weights over C; mix values with dot<C>, or take them as plain numbers with .values()  [N0023]}}
  %y = nax.sum %x over [#C] : (!nax.tensor<[#T, #C], f32, weights<#C>>) -> !nax.tensor<[#T], f32>
  return
}

// All of T would come back to T.
func.func @sum_read(%x: !nax.tensor<[#T, #ReadT], f32>) {
  // expected-error @below {{'nax.sum' op sum<Read<T>>: [T,Read<T>] would carry every position of the causal T back to T; mix with softmax weights  [N0025]}}
  %y = nax.sum %x over [#ReadT] : (!nax.tensor<[#T, #ReadT], f32>) -> !nax.tensor<[#T], f32>
  return
}

// All of T would be seen at each s.
func.func @sum_read_left(%x: !nax.tensor<[#T, #ReadT], f32>) {
  // expected-error @below {{'nax.sum' op sum<T>: [T,Read<T>] would carry every position of the causal T back to Read<T>; mix with softmax weights  [N0025]}}
  %y = nax.sum %x over [#T] : (!nax.tensor<[#T, #ReadT], f32>) -> !nax.tensor<[#ReadT], f32>
  return
}

// Which positions of a ragged row are real?
func.func @sum_no_lengths(%x: !nax.tensor<[#B, #R], f32>) {
  // expected-error @below {{'nax.sum' op expects the lengths of the ragged axis R as its data}}
  %y = nax.sum %x over [#R] : (!nax.tensor<[#B, #R], f32>) -> !nax.tensor<[#B], f32>
  return
}

// All positions of P are real.
func.func @sum_needless_lengths(%x: !nax.tensor<[#B, #P], f32>, %n: !nax.tensor<[#B], i32>) {
  // expected-error @below {{'nax.sum' op expects no data, since its axes have all positions}}
  %y = nax.sum %x data %n over [#P] : (!nax.tensor<[#B, #P], f32>, !nax.tensor<[#B], i32>) -> !nax.tensor<[#B], f32>
  return
}

// One operand can not hold two lengths.
func.func @sum_two_data(%x: !nax.tensor<[#R, #R2], f32>, %n: !nax.tensor<[], i32>) {
  // expected-error @below {{'nax.sum' op expects data on one of its axes at most, but R and R2 have some}}
  %y = nax.sum %x data %n over [#R, #R2] : (!nax.tensor<[#R, #R2], f32>, !nax.tensor<[], i32>) -> !nax.tensor<[], f32>
  return
}

// The type must say that all of T was seen.
func.func @sum_result(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.sum' op expects the result [C] of f32, whole T, but got [C] of f32}}
  %y = nax.sum %x over [#T] : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#C], f32>
  return
}

// Labels do not cross documents.
func.func @mean_no_documents(%x: !nax.tensor<[#B, #Z], f32, losses<#Z>>) {
  // expected-error @below {{'nax.mean' op expects the documents of the packed axis Z as its data}}
  %y = nax.mean %x over [#B, #Z] : (!nax.tensor<[#B, #Z], f32, losses<#Z>>) -> !nax.tensor<[], f32>
  return
}

// Without T there is no loss of T.
func.func @mean_result(%x: !nax.tensor<[#B, #T], f32, losses<#T>>) {
  // expected-error @below {{'nax.mean' op expects the result [T] of f32, losses<T>, but got [T] of f32}}
  %y = nax.mean %x over [#B] : (!nax.tensor<[#B, #T], f32, losses<#T>>) -> !nax.tensor<[#T], f32>
  return
}

// The largest loss is no use.
func.func @max_losses(%x: !nax.tensor<[#B, #T], f32, losses<#T>>) {
  // expected-error @below {{'nax.max' op max: losses [B,T] are losses; take their mean or sum  [N0009]}}
  %y = nax.max %x over [#T] : (!nax.tensor<[#B, #T], f32, losses<#T>>) -> !nax.tensor<[#B], f32, whole #T>
  return
}

// Features have no last position.
func.func @last_features(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.last' op last<C>: C of [T,C] is not a sequence  [N0009]}}
  %y = nax.last %x of #C : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T], f32>
  return
}

// What is read has no last position of its own.
func.func @last_read(%x: !nax.tensor<[#ReadT, #C], f32>) {
  // expected-error @below {{'nax.last' op last<Read<T>>: [Read<T>,C] is read already; write last<T>(x) before it is read  [N0009]}}
  %y = nax.last %x of #ReadT : (!nax.tensor<[#ReadT, #C], f32>) -> !nax.tensor<[#C], f32>
  return
}

// Where does a ragged row end?
func.func @last_no_lengths(%x: !nax.tensor<[#B, #R], f32>) {
  // expected-error @below {{'nax.last' op expects the lengths of the ragged axis R as its data}}
  %y = nax.last %x of #R : (!nax.tensor<[#B, #R], f32>) -> !nax.tensor<[#B], f32>
  return
}

// Is there a position in the row at all?
func.func @last_no_starts(%x: !nax.tensor<[#B, #L], f32>) {
  // expected-error @below {{'nax.last' op expects the starts of the left-padded axis L as its data}}
  %y = nax.last %x of #L : (!nax.tensor<[#B, #L], f32>) -> !nax.tensor<[#B], f32>
  return
}

// The last position has seen all.
func.func @last_result(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.last' op expects the result [C] of f32, whole T, but got [C] of f32}}
  %y = nax.last %x of #T : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#C], f32>
  return
}

// Scores are not values yet.
func.func @first_scores(%x: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>) {
  // expected-error @below {{'nax.first' op first: scores [T,Read<T>] are scores, not values; turn them into weights first: softmax<Read<T>>  [N0042]}}
  %y = nax.first %x of #T : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>) -> !nax.tensor<[#ReadT], f32>
  return
}

// Is there a position in the row at all?
func.func @first_no_lengths(%x: !nax.tensor<[#B, #R], f32>) {
  // expected-error @below {{'nax.first' op expects the lengths of the ragged axis R as its data}}
  %y = nax.first %x of #R : (!nax.tensor<[#B, #R], f32>) -> !nax.tensor<[#B], f32>
  return
}

// Where does a left-padded row begin?
func.func @first_no_starts(%x: !nax.tensor<[#B, #L], f32>) {
  // expected-error @below {{'nax.first' op expects the starts of the left-padded axis L as its data}}
  %y = nax.first %x of #L : (!nax.tensor<[#B, #L], f32>) -> !nax.tensor<[#B], f32>
  return
}

// One chooses among classes, not positions.
func.func @argmax_sequence(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.argmax' op argmax<T>: T of [T,C] is a sequence; choose among classes  [N0009]}}
  %i = nax.argmax %x over #T : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#C], i32, ids<#T>>
  return
}

// These are logits over V.
func.func @argmax_other(%x: !nax.tensor<[#C, #V], f32, logits<#V>>) {
  // expected-error @below {{'nax.argmax' op argmax<C>: logits [C,V] are over V, not C  [N0009]}}
  %i = nax.argmax %x over #C : (!nax.tensor<[#C, #V], f32, logits<#V>>) -> !nax.tensor<[#V], i32, ids<#C>>
  return
}

// They index V.
func.func @argmax_result(%x: !nax.tensor<[#T, #V], f32, logits<#V>>) {
  // expected-error @below {{'nax.argmax' op expects the result [T] of i32, ids<V>, but got [T] of i32, ids<W>}}
  %i = nax.argmax %x over #V : (!nax.tensor<[#T, #V], f32, logits<#V>>) -> !nax.tensor<[#T], i32, ids<#W>>
  return
}

// How many?
func.func @top_k_size(%x: !nax.tensor<[#T, #V], f32, logits<#V>>) {
  // expected-error @below {{'nax.top_k' op top_k<V,B>: B is a plain axis of fixed size: struct B : Axis<"B", 5> {}}}
  %i = nax.top_k %x over #V to #B : (!nax.tensor<[#T, #V], f32, logits<#V>>) -> !nax.tensor<[#T, #B], i32, ids<#V>>
  return
}

// There are 16.
func.func @top_k_larger(%x: !nax.tensor<[#T, #V], f32, logits<#V>>) {
  // expected-error @below {{'nax.top_k' op top_k<V,F>: F (32) is larger than V (16)  [N0009]}}
  %i = nax.top_k %x over #V to #F : (!nax.tensor<[#T, #V], f32, logits<#V>>) -> !nax.tensor<[#T, #F], i32, ids<#V>>
  return
}

// One name is one axis.
func.func @top_k_twice(%x: !nax.tensor<[#D, #V], f32, logits<#V>>) {
  // expected-error @below {{'nax.top_k' op top_k<V,D>: logits [D,V] has D already  [N0011]}}
  %i = nax.top_k %x over #V to #D : (!nax.tensor<[#D, #V], f32, logits<#V>>) -> !nax.tensor<[#D], i32, ids<#V>>
  return
}

#Many = #nax.axis<"Many", 3000000000>

// Indices of i32 end at 2147483647.
func.func @argmax_many(%x: !nax.tensor<[#Many], f32>) {
  // expected-error @below {{'nax.argmax' op argmax<Many>: Many (3000000000) is more than its indices, which are i32, can count  [N0041]}}
  %i = nax.argmax %x over #Many : (!nax.tensor<[#Many], f32>) -> !nax.tensor<[], i64, ids<#Many>>
  return
}
