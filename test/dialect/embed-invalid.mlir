// What tables of tokens and positions refuse.
// RUN: nax-opt %s --verify-diagnostics

#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#D = #nax.axis<"D", 4>
#F = #nax.axis<"F", 32>
#V = #nax.axis<"V", 16>
#W = #nax.axis<"W", 16>
#T = #nax.axis<"T", causal>
#ReadT = #nax.axis<read #T>
#Z = #nax.axis<"Z", causal, packed>

// Numbers index nothing.
func.func @embed_numbers(%i: !nax.tensor<[#B, #T], f32>, %t: !nax.tensor<[#V, #C], f32>) {
  // expected-error @below {{'nax.embed' op embed<V>: [B,T] of f32 are not indices; the first operand is Tensor<Ids<V>, ...>  [N0039]}}
  %x = nax.embed %i, %t from #V : (!nax.tensor<[#B, #T], f32>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
  return
}

// The ids index V.
func.func @embed_other(%i: !nax.tensor<[#B, #T], i32, ids<#V>>, %t: !nax.tensor<[#W, #C], f32>) {
  // expected-error @below {{'nax.embed' op embed<W>: ids [B,T] index V, not W; write embed<V>(ids, table of V)  [N0040]}}
  %x = nax.embed %i, %t from #W : (!nax.tensor<[#B, #T], i32, ids<#V>>, !nax.tensor<[#W, #C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
  return
}

// The table is not of V.
func.func @embed_no_vocabulary(%i: !nax.tensor<[#B, #T], i32, ids<#V>>, %t: !nax.tensor<[#W, #C], f32>) {
  // expected-error @below {{'nax.embed' op embed<V>: ids [B,T] index V, and the table [W,C] has no axis V; write embed<V>(ids, table of V)  [N0040]}}
  %x = nax.embed %i, %t from #V : (!nax.tensor<[#B, #T], i32, ids<#V>>, !nax.tensor<[#W, #C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
  return
}

// A row for each T would be another table for each.
func.func @embed_shared(%i: !nax.tensor<[#T], i32, ids<#V>>, %t: !nax.tensor<[#V, #T, #C], f32>) {
  // expected-error @below {{'nax.embed' op embed<V>: the table [V,T,C] has T, which ids [T] has too  [N0004]}}
  %x = nax.embed %i, %t from #V : (!nax.tensor<[#T], i32, ids<#V>>, !nax.tensor<[#V, #T, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// Each row of the table has a vector.
func.func @embed_result(%i: !nax.tensor<[#B, #T], i32, ids<#V>>, %t: !nax.tensor<[#V, #C], f32>) {
  // expected-error @below {{'nax.embed' op expects the result [B,T,C] of f32, but got [B,T] of f32}}
  %x = nax.embed %i, %t from #V : (!nax.tensor<[#B, #T], i32, ids<#V>>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#B, #T], f32>
  return
}

// The table is of V.
func.func @unembed_no_vocabulary(%x: !nax.tensor<[#T, #C], f32>, %t: !nax.tensor<[#V, #C], f32>) {
  // expected-error @below {{'nax.unembed' op unembed<W>: the table [V,C] has no axis W; write unembed<W>(x, table of W)  [N0040]}}
  %l = nax.unembed %x, %t to #W : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#T, #W], f32, logits<#W>>
  return
}

// There is no D to match.
func.func @unembed_absent(%x: !nax.tensor<[#T, #C], f32>, %t: !nax.tensor<[#V, #D], f32>) {
  // expected-error @below {{'nax.unembed' op unembed<V>: [T,C] has no axis D of the table [V,D]  [N0001]}}
  %l = nax.unembed %x, %t to #V : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#V, #D], f32>) -> !nax.tensor<[#T, #V], f32, logits<#V>>
  return
}

// Which V?
func.func @unembed_twice(%x: !nax.tensor<[#V, #C], f32>, %t: !nax.tensor<[#V, #C], f32>) {
  // expected-error @below {{'nax.unembed' op unembed<V>: [V,C] has V already; name the vocabulary of the table  [N0011]}}
  %l = nax.unembed %x, %t to #V : (!nax.tensor<[#V, #C], f32>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#V], f32, logits<#V>>
  return
}

// A table holds features; what is read is mixed by weights.
func.func @unembed_read(%x: !nax.tensor<[#T, #ReadT], f32>, %t: !nax.tensor<[#ReadT, #V], f32>) {
  // expected-error @below {{'nax.unembed' op unembed<V>: it sums over Read<T> of the table [Read<T>,V], which holds no features; values along a sequence are mixed by softmax weights  [N0025]}}
  %l = nax.unembed %x, %t to #V : (!nax.tensor<[#T, #ReadT], f32>, !nax.tensor<[#ReadT, #V], f32>) -> !nax.tensor<[#T, #V], f32, logits<#V>>
  return
}

// What it gives is logits.
func.func @unembed_result(%x: !nax.tensor<[#T, #C], f32>, %t: !nax.tensor<[#V, #C], f32>) {
  // expected-error @below {{'nax.unembed' op expects the result [T,V] of f32, logits<V>, but got [T,V] of f32}}
  %l = nax.unembed %x, %t to #V : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#T, #V], f32>
  return
}

// Features have no positions.
func.func @embed_positions_features(%x: !nax.tensor<[#T, #C], f32>, %t: !nax.tensor<[#F, #C], f32>) {
  // expected-error @below {{'nax.embed_positions' op embed_positions<C>: C of [T,C] is not a sequence; positions are added along one  [N0031]}}
  %y = nax.embed_positions %x, %t along #C : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#F, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// A row for which position?
func.func @embed_positions_none(%x: !nax.tensor<[#T, #C], f32>, %t: !nax.tensor<[#C], f32>) {
  // expected-error @below {{'nax.embed_positions' op embed_positions<T>: the table [C] must have the features of [T,C] and one axis of positions: Param<f32, MaxPositions, C>  [N0036]}}
  %y = nax.embed_positions %x, %t along #T : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// A table has a last row.
func.func @embed_positions_size(%x: !nax.tensor<[#T, #C], f32>, %t: !nax.tensor<[#B, #C], f32>) {
  // expected-error @below {{'nax.embed_positions' op embed_positions<T>: the positions B of the table [B,C] are a plain axis of fixed size: struct B : Axis<"B", 1024> {}}}
  %y = nax.embed_positions %x, %t along #T : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#B, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// Positions restart in each document.
func.func @embed_positions_no_documents(%x: !nax.tensor<[#B, #Z, #C], f32>, %t: !nax.tensor<[#F, #C], f32>) {
  // expected-error @below {{'nax.embed_positions' op expects the documents of the packed axis Z as its data}}
  %y = nax.embed_positions %x, %t along #Z : (!nax.tensor<[#B, #Z, #C], f32>, !nax.tensor<[#F, #C], f32>) -> !nax.tensor<[#B, #Z, #C], f32>
  return
}
