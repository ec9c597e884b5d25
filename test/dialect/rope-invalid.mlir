// What nax.rope refuses.
// RUN: nax-opt %s --verify-diagnostics

#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#D = #nax.axis<"D", 4>
#E = #nax.axis<"E", 3>
#T = #nax.axis<"T", causal>
#Z = #nax.axis<"Z", causal, packed>
#rope = #nax.rope<base = 1.0e4, pairing = halves, scaling = 1.0, dims = 0>
#rope2 = #nax.rope<base = 5.0e5, pairing = halves, scaling = 1.0, dims = 0>
#rope8 = #nax.rope<base = 1.0e4, pairing = halves, scaling = 1.0, dims = 8>
#Old = #nax.axis<"Old">
#New = #nax.axis<"New">
#All = #nax.axis<"All" = #Old + #New>

// Rotated once is rotated.
func.func @rope_twice(%x: !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>) {
  // expected-error @below {{'nax.rope' op rope<T,D>: rotated [T,D] is rotated already; rotate once  [N0033]}}
  %y = nax.rope %x positions #T features #D by #rope : (!nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>) -> !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>
  return
}

// Rotation goes by position.
func.func @rope_features_as_positions(%x: !nax.tensor<[#C, #D], f32>) {
  // expected-error @below {{'nax.rope' op rope<C,D>: C of [C,D] is not a sequence; rotation goes by position: rope<T,D>  [N0031]}}
  %y = nax.rope %x positions #C features #D by #rope : (!nax.tensor<[#C, #D], f32>) -> !nax.tensor<[#C, #D], f32>
  return
}

// There are no features D to rotate.
func.func @rope_absent(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.rope' op rope<D>: [T,C] has no axis D}}
  %y = nax.rope %x positions #T features #D by #rope : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// Only 4 features are there, 8 would rotate.
func.func @rope_dims(%x: !nax.tensor<[#T, #D], f32>) {
  // expected-error @below {{'nax.rope' op rope<T,D>: the rotary size 8 is larger than D (4)  [N0032]}}
  %y = nax.rope %x positions #T features #D by #rope8 : (!nax.tensor<[#T, #D], f32>) -> !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope8>>
  return
}

// Features rotate in pairs.
func.func @rope_odd(%x: !nax.tensor<[#T, #E], f32>) {
  // expected-error @below {{'nax.rope' op rope<T,E>: the rotary size 3 of E is odd; features rotate in pairs  [N0032]}}
  %y = nax.rope %x positions #T features #E by #rope : (!nax.tensor<[#T, #E], f32>) -> !nax.tensor<[#T, #E], f32, rotated<#T, #E, #rope>>
  return
}

// Positions restart in each document.
func.func @rope_no_documents(%x: !nax.tensor<[#B, #Z, #D], f32>) {
  // expected-error @below {{'nax.rope' op expects the documents of the packed axis Z as its data}}
  %y = nax.rope %x positions #Z features #D by #rope : (!nax.tensor<[#B, #Z, #D], f32>) -> !nax.tensor<[#B, #Z, #D], f32, rotated<#Z, #D, #rope>>
  return
}

// The type says another base.
func.func @rope_result(%x: !nax.tensor<[#T, #D], f32>) {
  // expected-error @below {{'nax.rope' op expects the result [T,D] of f32, rotated<T,D,base 10000 halves scaling 1 dims 0>, but got [T,D] of f32, rotated<T,D,base 500000 halves scaling 1 dims 0>}}
  %y = nax.rope %x positions #T features #D by #rope : (!nax.tensor<[#T, #D], f32>) -> !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope2>>
  return
}

// Old positions and new ones: at which is each?
func.func @rope_old_and_new(%x: !nax.tensor<[#B, #All, #D], f32>) {
  // expected-error @below {{'nax.rope' op rope<All,D>: All = Old + New does not say which position each is at; declare one sequence, struct All : Causal<"All"> {}, and rotate all of it  [N0038]}}
  %y = nax.rope %x positions #All features #D by #rope : (!nax.tensor<[#B, #All, #D], f32>) -> !nax.tensor<[#B, #All, #D], f32>
  return
}

// No axis here has positions.
func.func @rope_undeclared(%x: !nax.tensor<[#B, #New, #D], f32>) {
  // expected-error @below {{'nax.rope' op rope<New,D>: New of [B,New,D] is not declared to have positions; declare it: struct New : Causal<"New"> {} or Positions<"New">, with LeftPadded or Packed if its data is  [N0038]}}
  %y = nax.rope %x positions #New features #D by #rope : (!nax.tensor<[#B, #New, #D], f32>) -> !nax.tensor<[#B, #New, #D], f32>
  return
}

// Each head has its features; a sequence is none.
func.func @rope_sequence_as_features(%x: !nax.tensor<[#T, #D], f32>) {
  // expected-error @below {{'nax.rope' op rope<T,T>: T is a sequence; the second axis is the features of one head  [N0031]}}
  %y = nax.rope %x positions #T features #T by #rope : (!nax.tensor<[#T, #D], f32>) -> !nax.tensor<[#T, #D], f32>
  return
}

// Indices do not rotate.
func.func @rope_ids(%x: !nax.tensor<[#T, #D], i32, ids<#C>>) {
  // expected-error @below {{'nax.rope' op rope: ids [T,D] are indices into C, not numbers; look them up: embed<C>(ids, table)  [N0039]}}
  %y = nax.rope %x positions #T features #D by #rope : (!nax.tensor<[#T, #D], i32, ids<#C>>) -> !nax.tensor<[#T, #D], i32, ids<#C>>
  return
}
