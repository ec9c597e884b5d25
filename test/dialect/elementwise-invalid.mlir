// What operations on each element refuse.
// RUN: nax-opt %s --verify-diagnostics

#C = #nax.axis<"C", 8>
#C16 = #nax.axis<"C", 16>
#D = #nax.axis<"D", 4>
#V = #nax.axis<"V", 16>
#T = #nax.axis<"T", causal>
#P = #nax.axis<"P", positions>
#ReadT = #nax.axis<read #T>

// An outer sum is spelled with nax.spread.
func.func @add_outer(%x: !nax.tensor<[#C], f32>, %y: !nax.tensor<[#D], f32>) {
  // expected-error @below {{'nax.add' op operator+: [C] has C and [D] has D that the other has not; spell the outer product: spread<D>(x) + y  [N0005]}}
  %z = nax.add %x, %y : (!nax.tensor<[#C], f32>, !nax.tensor<[#D], f32>) -> !nax.tensor<[#C, #D], f32>
  return
}

// Nothing is converted unasked.
func.func @add_mixed(%x: !nax.tensor<[#T, #C], f32>, %y: !nax.tensor<[#C], f16>) {
  // expected-error @below {{'nax.add' op operator+: [T,C] is f32 and [C] is f16; convert one: to<f32>(...)  [N0044]}}
  %z = nax.add %x, %y : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#C], f16>) -> !nax.tensor<[#T, #C], f32>
  return
}

// A pooled value may not come back to T.
func.func @add_whole(%x: !nax.tensor<[#T, #C], f32>, %y: !nax.tensor<[#C], f32, whole #T>) {
  // expected-error @below {{'nax.add' op operator+: [C] has seen every position of the causal T; joining it to [T,C] tells position t what comes after it  [N0025]}}
  %z = nax.add %x, %y : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#C], f32, whole #T>) -> !nax.tensor<[#T, #C], f32>
  return
}

// Weights would no longer sum to 1.
func.func @add_weights(%x: !nax.tensor<[#T, #C], f32, weights<#C>>, %y: !nax.tensor<[#C], f32>) {
  // expected-error @below {{'nax.add' op operator+: [C] is added to weights [T,C], which would no longer sum to 1; a bias belongs before softmax: bias(scores, b)  [N0021]}}
  %z = nax.add %x, %y : (!nax.tensor<[#T, #C], f32, weights<#C>>, !nax.tensor<[#C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// A mask comes before softmax.
func.func @mul_weights_mask(%x: !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>, %m: !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>) {
  // expected-error @below {{'nax.mul' op operator*: weights [T,Read<T>] are weights already; a mask goes before softmax: softmax<Read<T>>(mask(scores, m))  [N0014]}}
  %z = nax.mul %x, %m : (!nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>, !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>) -> !nax.tensor<[#T, #ReadT], f32>
  return
}

// Nor is it added to scores.
func.func @add_mask(%x: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, %m: !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>) {
  // expected-error @below {{'nax.add' op operator+: a mask is not added to scores [T,Read<T>]; write mask(scores, m)  [N0018]}}
  %z = nax.add %x, %m : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// A scale comes before the mask.
func.func @scale_masked(%x: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>) {
  // expected-error @below {{'nax.scale' op operator*: scores [T,Read<T>] are masked already, and a scale comes before the mask: scores<D>(q, k, Scale{s})  [N0015]}}
  %z = nax.scale %x by 0.5 : !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, masked, causally>>
  return
}

// One number moves no weight.
func.func @offset_scores(%x: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>) {
  // expected-error @below {{'nax.offset' op operator+: to scores [T,Read<T>] a bias is added, bias(scores, b); one number for all changes no weight  [N0018]}}
  %z = nax.offset %x by 0.5 : !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// Learned positions are nax.embed_positions.
func.func @add_positions(%x: !nax.tensor<[#T, #C], f32>, %y: !nax.tensor<[#T, #C], f32> {nax.param}) {
  // expected-error @below {{'nax.add' op operator+: the parameter [T,C] stands on the sequence T; learned positions are embed_positions<T>(x, table) with a table on a plain axis of positions  [N0036]}}
  %z = nax.add %x, %y : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// One name is one axis.
func.func @add_two_declarations(%x: !nax.tensor<[#T, #C], f32>, %y: !nax.tensor<[#C16], f32>) {
  // expected-error @below {{'nax.add' op operator+: C of [T,C] and C of [C] are two declarations of one name (sizes 8 and 16); use one, or give them two names  [N0002]}}
  %z = nax.add %x, %y : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#C16], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// Each T has its sum.
func.func @add_result(%x: !nax.tensor<[#C], f32>, %y: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.add' op expects the result [T,C] of f32, but got [C] of f32}}
  %z = nax.add %x, %y : (!nax.tensor<[#C], f32>, !nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#C], f32>
  return
}

// The distance of two ids means nothing.
func.func @sub_ids(%x: !nax.tensor<[#T], i32, ids<#V>>) {
  // expected-error @below {{'nax.sub' op operator-: ids [T] are indices into V, not numbers; look them up: embed<V>(ids, table)  [N0039]}}
  %z = nax.sub %x, %x : (!nax.tensor<[#T], i32, ids<#V>>, !nax.tensor<[#T], i32, ids<#V>>) -> !nax.tensor<[#T], i32>
  return
}

// Scores have their scale already.
func.func @mul_scores(%x: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, %y: !nax.tensor<[#T], f32>) {
  // expected-error @below {{'nax.mul' op operator*: scores [T,Read<T>] are scaled by 1/sqrt(D) already; another scale is scores<D>(q, k, Scale{s})  [N0016]}}
  %z = nax.mul %x, %y : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, !nax.tensor<[#T], f32>) -> !nax.tensor<[#T, #ReadT], f32>
  return
}

// True by false?
func.func @div_boolean(%x: !nax.tensor<[#T], i1>) {
  // expected-error @below {{'nax.div' op operator/: bool [T] is true or false, not numbers; for a mask say allowed_where_true(m) or blocked_where_true(m)  [N0018]}}
  %z = nax.div %x, %x : (!nax.tensor<[#T], i1>, !nax.tensor<[#T], i1>) -> !nax.tensor<[#T], i1>
  return
}

// Weights would no longer sum to 1.
func.func @neg_weights(%x: !nax.tensor<[#T, #C], f32, weights<#C>>) {
  // expected-error @below {{'nax.neg' op neg: weights [T,C] are weights over C; mix values with dot<C>, or take them as plain numbers with .values()  [N0023]}}
  %y = nax.neg %x : !nax.tensor<[#T, #C], f32, weights<#C>>
  return
}

// Weights would no longer sum to 1.
func.func @silu_weights(%x: !nax.tensor<[#T, #C], f32, weights<#C>>) {
  // expected-error @below {{'nax.silu' op silu: weights [T,C] are weights over C; mix values with dot<C>, or take them as plain numbers with .values()  [N0023]}}
  %y = nax.silu %x : !nax.tensor<[#T, #C], f32, weights<#C>>
  return
}

// Weights would no longer sum to 1.
func.func @gelu_weights(%x: !nax.tensor<[#T, #C], f32, weights<#C>>) {
  // expected-error @below {{'nax.gelu' op gelu: weights [T,C] are weights over C; mix values with dot<C>, or take them as plain numbers with .values()  [N0023]}}
  %y = nax.gelu %x : !nax.tensor<[#T, #C], f32, weights<#C>>
  return
}

// Weights would no longer sum to 1.
func.func @gelu_tanh_weights(%x: !nax.tensor<[#T, #C], f32, weights<#C>>) {
  // expected-error @below {{'nax.gelu_tanh' op gelu_tanh: weights [T,C] are weights over C; mix values with dot<C>, or take them as plain numbers with .values()  [N0023]}}
  %y = nax.gelu_tanh %x : !nax.tensor<[#T, #C], f32, weights<#C>>
  return
}

// Weights would no longer sum to 1.
func.func @relu_weights(%x: !nax.tensor<[#T, #C], f32, weights<#C>>) {
  // expected-error @below {{'nax.relu' op relu: weights [T,C] are weights over C; mix values with dot<C>, or take them as plain numbers with .values()  [N0023]}}
  %y = nax.relu %x : !nax.tensor<[#T, #C], f32, weights<#C>>
  return
}

// Weights would no longer sum to 1.
func.func @exp_weights(%x: !nax.tensor<[#T, #C], f32, weights<#C>>) {
  // expected-error @below {{'nax.exp' op exp: weights [T,C] are weights over C; mix values with dot<C>, or take them as plain numbers with .values()  [N0023]}}
  %y = nax.exp %x : !nax.tensor<[#T, #C], f32, weights<#C>>
  return
}

// Weights would no longer sum to 1.
func.func @tanh_weights(%x: !nax.tensor<[#T, #C], f32, weights<#C>>) {
  // expected-error @below {{'nax.tanh' op tanh: weights [T,C] are weights over C; mix values with dot<C>, or take them as plain numbers with .values()  [N0023]}}
  %y = nax.tanh %x : !nax.tensor<[#T, #C], f32, weights<#C>>
  return
}

// Weights would no longer sum to 1.
func.func @sigmoid_weights(%x: !nax.tensor<[#T, #C], f32, weights<#C>>) {
  // expected-error @below {{'nax.sigmoid' op sigmoid: weights [T,C] are weights over C; mix values with dot<C>, or take them as plain numbers with .values()  [N0023]}}
  %y = nax.sigmoid %x : !nax.tensor<[#T, #C], f32, weights<#C>>
  return
}

// Weights would no longer sum to 1.
func.func @sqrt_weights(%x: !nax.tensor<[#T, #C], f32, weights<#C>>) {
  // expected-error @below {{'nax.sqrt' op sqrt: weights [T,C] are weights over C; mix values with dot<C>, or take them as plain numbers with .values()  [N0023]}}
  %y = nax.sqrt %x : !nax.tensor<[#T, #C], f32, weights<#C>>
  return
}

// Infinity would turn zeros into no numbers.
func.func @scale_infinite(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.scale' op expects a finite factor, but got +Inf}}
  %y = nax.scale %x by 0x7FF0000000000000 : !nax.tensor<[#T, #C], f32>
  return
}

// Scores have their scale already.
func.func @scale_scores(%x: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>) {
  // expected-error @below {{'nax.scale' op operator*: scores [T,Read<T>] are scaled by 1/sqrt(D) already; another scale is scores<D>(q, k, Scale{s})  [N0016]}}
  %y = nax.scale %x by 2.0 : !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// This is no number.
func.func @offset_nan(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.offset' op expects a finite offset, but got NaN}}
  %y = nax.offset %x by 0x7FF8000000000000 : !nax.tensor<[#T, #C], f32>
  return
}

// The id after this one means nothing.
func.func @offset_ids(%x: !nax.tensor<[#T], i32, ids<#V>>) {
  // expected-error @below {{'nax.offset' op operator+: ids [T] are indices into V, not numbers; look them up: embed<V>(ids, table)  [N0039]}}
  %y = nax.offset %x by 1.0 : !nax.tensor<[#T], i32, ids<#V>>
  return
}

// Ids are no numbers.
func.func @cast_ids(%x: !nax.tensor<[#T], i32, ids<#V>>) {
  // expected-error @below {{'nax.cast' op to: ids [T] are indices into V, not numbers; look them up: embed<V>(ids, table)  [N0039]}}
  %y = nax.cast %x : (!nax.tensor<[#T], i32, ids<#V>>) -> !nax.tensor<[#T], f32>
  return
}

// A cast moves nothing.
func.func @cast_result(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.cast' op expects the result [T,C] of f16, but got [T] of f16}}
  %y = nax.cast %x : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T], f16>
  return
}

// One seed for all.
func.func @dropout_seed(%x: !nax.tensor<[#T, #C], f32>, %s: !nax.tensor<[], i32>) {
  // expected-error @below {{'nax.dropout' op expects the seed to be one i64, but got '!nax.tensor<[], i32>'}}
  %y = nax.dropout %x, %s p 0.1 site 0 : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[], i32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// Nothing would be left to scale up.
func.func @dropout_all(%x: !nax.tensor<[#T, #C], f32>, %s: !nax.tensor<[], i64>) {
  // expected-error @below {{'nax.dropout' op expects the probability to be in [0, 1), but got 1.000000e+00}}
  %y = nax.dropout %x, %s p 1.0 site 0 : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[], i64>) -> !nax.tensor<[#T, #C], f32>
  return
}

// Dropping a score is no dropout.
func.func @dropout_scores(%x: !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, %s: !nax.tensor<[], i64>) {
  // expected-error @below {{'nax.dropout' op dropout: scores [T,Read<T>] are scores, not values; turn them into weights first: softmax<Read<T>>  [N0042]}}
  %y = nax.dropout %x, %s p 0.1 site 0 : (!nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>, !nax.tensor<[], i64>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// Logits weigh nothing.
func.func @mul_logits(%x: !nax.tensor<[#T, #V], f32, logits<#V>>, %y: !nax.tensor<[#T, #V, #C], f32>) {
  // expected-error @below {{'nax.mul' op operator*: logits [T,V] are logits, not weights; mix with dot<V>(softmax<V>(logits), values), or take plain numbers with .values()  [N0042]}}
  %z = nax.mul %x, %y : (!nax.tensor<[#T, #V], f32, logits<#V>>, !nax.tensor<[#T, #V, #C], f32>) -> !nax.tensor<[#T, #V, #C], f32>
  return
}

// A projection is no product of elements.
func.func @project_by_mul(%x: !nax.tensor<[#T, #C], f32>, %w: !nax.tensor<[#C, #D], f32> {nax.param}) {
  // expected-error @below {{'nax.mul' op operator*: [T,C] has T and [C,D] has D that the other has not; a projection is dot<C>(x, w), an outer product spread<D>(x) * y  [N0005]}}
  %z = nax.mul %x, %w : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#C, #D], f32>) -> !nax.tensor<[#T, #C, #D], f32>
  return
}

// A table of positions is no addend.
func.func @add_table(%x: !nax.tensor<[#T, #C], f32>, %y: !nax.tensor<[#V, #C], f32> {nax.param}) {
  // expected-error @below {{'nax.add' op operator+: the parameter [V,C] has V, which [T,C] has not; a table is looked up: embed<V>(ids, table); positions are embed_positions<T>(x, table)  [N0036]}}
  %z = nax.add %x, %y : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#T, #V, #C], f32>
  return
}
