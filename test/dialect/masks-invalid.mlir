// What masks refuse.
// RUN: nax-opt %s --verify-diagnostics

#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#T = #nax.axis<"T", causal>
#U = #nax.axis<"U", causal>
#P = #nax.axis<"P", positions>
#ReadT = #nax.axis<read #T>
#ReadP = #nax.axis<read #P>
#Z = #nax.axis<"Z", causal, packed>
#L = #nax.axis<"L", causal, left_padded>
#ReadZ = #nax.axis<read #Z>
#ReadL = #nax.axis<read #L>

// Features have no positions.
func.func @window_features() {
  // expected-error @below {{'nax.window' op window<C>: C is not a sequence  [N0020]}}
  %m = nax.window of #C size 4 : !nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>
  return
}

// A window holds the position itself at least.
func.func @window_empty() {
  // expected-error @below {{'nax.window' op window<T>(0) would block everything; the size counts the position itself  [N0017]}}
  %m = nax.window of #T size 0 : !nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>
  return
}

// A window depends on who asks.
func.func @window_result() {
  // expected-error @below {{'nax.window' op expects the result [T,Read<T>] of boolean, mask<T,Read<T>>, but got [Read<T>] of boolean, mask<every,Read<T>>}}
  %m = nax.window of #T size 4 : !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>
  return
}

// Experts come in no order.
func.func @past_features() {
  // expected-error @below {{'nax.past' op past<C>: C is not a sequence  [N0020]}}
  %m = nax.past of #C : !nax.tensor<[#P, #ReadP], i1, mask<#P, #ReadP>>
  return
}

// What is past depends on who asks.
func.func @past_result() {
  // expected-error @below {{'nax.past' op expects the result [P,Read<P>] of boolean, mask<P,Read<P>>, but got [Read<P>] of boolean, mask<every,Read<P>>}}
  %m = nax.past of #P : !nax.tensor<[#ReadP], i1, mask<every, #ReadP>>
  return
}

// Everything would be blocked.
func.func @prefix_empty() {
  // expected-error @below {{'nax.prefix' op prefix<T>(0) would block everything; it counts the positions that all may read  [N0017]}}
  %m = nax.prefix of #T size 0 : !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>
  return
}

// A prefix is the same for all that ask.
func.func @prefix_result() {
  // expected-error @below {{'nax.prefix' op expects the result [Read<T>] of boolean, mask<every,Read<T>>, but got [T,Read<T>] of boolean, mask<T,Read<T>>}}
  %m = nax.prefix of #T size 2 : !nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>
  return
}

// Lengths are whole numbers.
func.func @shorter_than_floats(%n: !nax.tensor<[#B], f32>) {
  // expected-error @below {{'nax.shorter_than' op shorter_than<P>: [B] of f32 are not lengths; they are Tensor<i32, B>  [N0018]}}
  %m = nax.shorter_than %n of #P : (!nax.tensor<[#B], f32>) -> !nax.tensor<[#B, #ReadP], i1, mask<every, #ReadP>>
  return
}

// One length for each row.
func.func @shorter_than_on_sequence(%n: !nax.tensor<[#B, #P], i32>) {
  // expected-error @below {{'nax.shorter_than' op shorter_than<P>: the lengths [B,P] have P; one length per row  [N0019]}}
  %m = nax.shorter_than %n of #P : (!nax.tensor<[#B, #P], i32>) -> !nax.tensor<[#B, #P, #ReadP], i1, mask<every, #ReadP>>
  return
}

// Documents are numbered.
func.func @same_document_floats(%d: !nax.tensor<[#B, #T], f32>) {
  // expected-error @below {{'nax.same_document' op same_document<T>: [B,T] of f32 are no document numbers; they are Tensor<i32, B, T>  [N0029]}}
  %m = nax.same_document %d of #T : (!nax.tensor<[#B, #T], f32>) -> !nax.tensor<[#B, #T, #ReadT], i1, mask<#T, #ReadT>>
  return
}

// Each position has its document.
func.func @same_document_rows(%d: !nax.tensor<[#B], i32>) {
  // expected-error @below {{'nax.same_document' op same_document<T>: [B] has no axis T}}
  %m = nax.same_document %d of #T : (!nax.tensor<[#B], i32>) -> !nax.tensor<[#B, #ReadT], i1, mask<every, #ReadT>>
  return
}

// Numbers are no mask.
func.func @allowed_numbers(%b: !nax.tensor<[#ReadP], f32>) {
  // expected-error @below {{'nax.allowed_where_true' op allowed_where_true: [Read<P>] of f32 is not true or false; a mask comes from Tensor<boolean, ...>  [N0018]}}
  %m = nax.allowed_where_true %b : (!nax.tensor<[#ReadP], f32>) -> !nax.tensor<[#ReadP], i1, mask<every, #ReadP>>
  return
}

// A mask is about what is read.
func.func @allowed_on_sequence(%b: !nax.tensor<[#P], i1>) {
  // expected-error @below {{'nax.allowed_where_true' op allowed_where_true: bool [P] stands on P; a mask is about what is read: Read<P>  [N0019]}}
  %m = nax.allowed_where_true %b : (!nax.tensor<[#P], i1>) -> !nax.tensor<[#P], i1>
  return
}

// It stands on P, so it is for queries on P.
func.func @allowed_result(%b: !nax.tensor<[#P, #ReadP], i1>) {
  // expected-error @below {{'nax.allowed_where_true' op expects the result [P,Read<P>] of boolean, mask<P,Read<P>>, but got [P,Read<P>] of boolean, mask<every,Read<P>>}}
  %m = nax.allowed_where_true %b : (!nax.tensor<[#P, #ReadP], i1>) -> !nax.tensor<[#P, #ReadP], i1, mask<every, #ReadP>>
  return
}

// Nothing here is read.
func.func @blocked_nothing_read(%b: !nax.tensor<[#B], i1>) {
  // expected-error @below {{'nax.blocked_where_true' op blocked_where_true: bool [B] has no axis being read  [N0020]}}
  %m = nax.blocked_where_true %b : (!nax.tensor<[#B], i1>) -> !nax.tensor<[#B], i1>
  return
}

// Does true mean allowed?
func.func @and_boolean(%x: !nax.tensor<[#ReadP], i1, mask<every, #ReadP>>, %y: !nax.tensor<[#ReadP], i1>) {
  // expected-error @below {{'nax.mask_and' op operator&: bool [Read<P>] does not say what true means; write allowed_where_true(m) or blocked_where_true(m)  [N0017]}}
  %m = nax.mask_and %x, %y : (!nax.tensor<[#ReadP], i1, mask<every, #ReadP>>, !nax.tensor<[#ReadP], i1>) -> !nax.tensor<[#ReadP], i1, mask<every, #ReadP>>
  return
}

// They are about two sequences.
func.func @and_two(%x: !nax.tensor<[#ReadP], i1, mask<every, #ReadP>>, %y: !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>) {
  // expected-error @below {{'nax.mask_and' op operator&: mask [Read<P>] is about Read<P> and mask [Read<T>] about Read<T>  [N0020]}}
  %m = nax.mask_and %x, %y : (!nax.tensor<[#ReadP], i1, mask<every, #ReadP>>, !nax.tensor<[#ReadT], i1, mask<every, #ReadT>>) -> !nax.tensor<[#ReadP, #ReadT], i1, mask<every, #ReadP>>
  return
}

// One side is for queries on P, so both are.
func.func @and_result(%x: !nax.tensor<[#ReadP], i1, mask<every, #ReadP>>, %y: !nax.tensor<[#P, #ReadP], i1, mask<#P, #ReadP>>) {
  // expected-error @below {{'nax.mask_and' op expects the result [Read<P>,P] of boolean, mask<P,Read<P>>, but got [Read<P>,P] of boolean, mask<every,Read<P>>}}
  %m = nax.mask_and %x, %y : (!nax.tensor<[#ReadP], i1, mask<every, #ReadP>>, !nax.tensor<[#P, #ReadP], i1, mask<#P, #ReadP>>) -> !nax.tensor<[#ReadP, #P], i1, mask<every, #ReadP>>
  return
}

// T and U both ask.
func.func @or_two(%x: !nax.tensor<[#T, #ReadP], i1, mask<#T, #ReadP>>, %y: !nax.tensor<[#U, #ReadP], i1, mask<#U, #ReadP>>) {
  // expected-error @below {{'nax.mask_or' op operator|: mask [T,Read<P>] is for queries on T and mask [U,Read<P>] on U  [N0020]}}
  %m = nax.mask_or %x, %y : (!nax.tensor<[#T, #ReadP], i1, mask<#T, #ReadP>>, !nax.tensor<[#U, #ReadP], i1, mask<#U, #ReadP>>) -> !nax.tensor<[#T, #ReadP, #U], i1, mask<#T, #ReadP>>
  return
}

// Only a mask is turned.
func.func @not_boolean(%x: !nax.tensor<[#ReadP], i1>) {
  // expected-error @below {{'nax.mask_not' op operator!: bool [Read<P>] is not a mask; write allowed_where_true(m) or blocked_where_true(m)  [N0017]}}
  %m = nax.mask_not %x : !nax.tensor<[#ReadP], i1>
  return
}

// Rope and losses would not know these documents.
func.func @same_document_unpacked(%d: !nax.tensor<[#B, #T], i32>) {
  // expected-error @below {{'nax.same_document' op same_document<T>: rope and the loss would not know the documents of T; declare struct T : Causal<"T", Packed> {}, whose documents all operations take  [N0029]}}
  %m = nax.same_document %d of #T : (!nax.tensor<[#B, #T], i32>) -> !nax.tensor<[#B, #T, #ReadT], i1, mask<#T, #ReadT>>
  return
}

// A row has several documents, each with its own first positions.
func.func @prefix_packed() {
  // expected-error @below {{'nax.prefix' op prefix<Z>: it counts from the begin of a row, in which the packed Z has several documents; only the first would have a prefix  [N0029]}}
  %m = nax.prefix of #Z size 2 : !nax.tensor<[#ReadZ], i1, mask<every, #ReadZ>>
  return
}

// What comes first is padding.
func.func @prefix_left_padded() {
  // expected-error @below {{'nax.prefix' op prefix<L>: it counts from the begin of a row, where the left-padded L has padding; its positions begin at L_starts  [N0038]}}
  %m = nax.prefix of #L size 2 : !nax.tensor<[#ReadL], i1, mask<every, #ReadL>>
  return
}

// Rows that end together are not cut at their end.
func.func @shorter_than_left_padded(%n: !nax.tensor<[#B], i32>) {
  // expected-error @below {{'nax.shorter_than' op shorter_than<L>: rows of the left-padded L end together; this hides their end. Padding at the begin is hidden by softmax, which knows L_starts  [N0038]}}
  %m = nax.shorter_than %n of #L : (!nax.tensor<[#B], i32>) -> !nax.tensor<[#B, #ReadL], i1, mask<every, #ReadL>>
  return
}

// A length that was counted along T.
func.func @shorter_than_whole(%n: !nax.tensor<[#B], i32, whole #T>) {
  // expected-error @below {{'nax.shorter_than' op shorter_than<T>: [B] has seen every position of the causal T, so that each would know how many follow; the lengths are an argument of the entry  [N0025]}}
  %m = nax.shorter_than %n of #T : (!nax.tensor<[#B], i32, whole #T>) -> !nax.tensor<[#B, #ReadT], i1, mask<every, #ReadT>>
  return
}
