// What new positions after cached ones refuse: a continued axis, its
// operations, and those that take positions or spans of it.
// RUN: nax-opt %s --split-input-file --verify-diagnostics

// Whoever may read what comes later would have read too little before.
// expected-error @below {{expects only a causal axis to be continued, since positions may read later ones of P}}
#P = #nax.axis<"P", positions, continued>

// -----

// How many there are says each call.
// expected-error @below {{expects no size of the continued axis T, whose new positions are counted when called, but got 8}}
#T = #nax.axis<"T", causal, 8, continued>

// -----

// expected-error @below {{expects continued data on a sequence only, but C is plain}}
#C = #nax.axis<"C", continued>

// -----

#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#D = #nax.axis<"D", 4>
#V = #nax.axis<"V", 16>
#N = #nax.axis<"N", causal, continued>
#ReadN = #nax.axis<read #N>
#NextN = #nax.axis<next #N>
#span = #nax.axis<"N.span", 2>
#slots = #nax.axis<"N.cache">
#eight = #nax.axis<"N.eight", 8>
#T = #nax.axis<"T", causal>
#ReadT = #nax.axis<read #T>
#spanT = #nax.axis<"T.span", 2>
#Z = #nax.axis<"Z", causal, packed>
#ReadZ = #nax.axis<read #Z>
#rope = #nax.rope<base = 1.0e4, pairing = halves, scaling = 1.0, dims = 0>

// Without cached positions there is nothing to start from.
func.func @positions_of_all(%s: !nax.tensor<[#B, #spanT], i32>) {
  // expected-error @below {{'nax.positions' op expects a continued axis, but got T}}
  %y = nax.positions %s along #T : (!nax.tensor<[#B, #spanT], i32>) -> !nax.tensor<[#B, #T], i32>
  return
}

// These are lengths, which do not say where a row starts.
func.func @positions_of_no_span(%s: !nax.tensor<[#B], i32>) {
  // expected-error @below {{'nax.positions' op expects the span of N to be i32 on its rows and then on N.span, but got [B] of i32}}
  %y = nax.positions %s along #N : (!nax.tensor<[#B], i32>) -> !nax.tensor<[#B, #N], i32>
  return
}

// The document may have begun in an earlier call.
func.func @positions_half_documents(%s: !nax.tensor<[#B, #span], i32>, %d: !nax.tensor<[#B, #N], i32>) {
  // expected-error @below {{'nax.positions' op expects documents and what is cached of them, or neither}}
  %y = nax.positions %s documents %d along #N : (!nax.tensor<[#B, #span], i32>, !nax.tensor<[#B, #N], i32>) -> !nax.tensor<[#B, #N], i32>
  return
}

// A document for each row is none for each position.
func.func @positions_documents_of_row(%s: !nax.tensor<[#B, #span], i32>, %d: !nax.tensor<[#B], i32>, %c: !nax.tensor<[#B, #ReadN], i32>) {
  // expected-error @below {{'nax.positions' op expects the documents to be i32 on the rows of its span and N, but got [B] of i32}}
  %y = nax.positions %s documents %d cached %c along #N : (!nax.tensor<[#B, #span], i32>, !nax.tensor<[#B], i32>, !nax.tensor<[#B, #ReadN], i32>) -> !nax.tensor<[#B, #N], i32>
  return
}

// The cached documents are read.
func.func @positions_cached_documents(%s: !nax.tensor<[#B, #span], i32>, %d: !nax.tensor<[#B, #N], i32>, %c: !nax.tensor<[#B, #N], i32>) {
  // expected-error @below {{'nax.positions' op expects the cached documents to be i32 on the rows of its span and Read<N>, but got [B,N] of i32}}
  %y = nax.positions %s documents %d cached %c along #N : (!nax.tensor<[#B, #span], i32>, !nax.tensor<[#B, #N], i32>, !nax.tensor<[#B, #N], i32>) -> !nax.tensor<[#B, #N], i32>
  return
}

// Each row has its own.
func.func @positions_result(%s: !nax.tensor<[#B, #span], i32>) {
  // expected-error @below {{'nax.positions' op expects the result [B,N] of i32, but got [N] of i32}}
  %y = nax.positions %s along #N : (!nax.tensor<[#B, #span], i32>) -> !nax.tensor<[#N], i32>
  return
}

// All of T is there.
func.func @cached_of_all(%x: !nax.tensor<[#B, #T, #D], f32>, %c: !nax.tensor<[#B, #slots, #D], f32>, %s: !nax.tensor<[#B, #spanT], i32>) {
  // expected-error @below {{'nax.cached' op expects a continued axis, but got T}}
  %y = nax.cached %x, %c span %s along #T : (!nax.tensor<[#B, #T, #D], f32>, !nax.tensor<[#B, #slots, #D], f32>, !nax.tensor<[#B, #spanT], i32>) -> !nax.tensor<[#B, #ReadT, #D], f32>
  return
}

// Nothing here belongs to a position.
func.func @cached_off_axis(%x: !nax.tensor<[#B, #D], f32>, %c: !nax.tensor<[#B, #slots, #D], f32>, %s: !nax.tensor<[#B, #span], i32>) {
  // expected-error @below {{'nax.cached' op read<N>: [B,D] has no axis N  [N0001]}}
  %y = nax.cached %x, %c span %s along #N : (!nax.tensor<[#B, #D], f32>, !nax.tensor<[#B, #slots, #D], f32>, !nax.tensor<[#B, #span], i32>) -> !nax.tensor<[#B, #D], f32>
  return
}

// Scores are of one call alone.
func.func @cached_scores(%x: !nax.tensor<[#B, #N, #ReadN], f32, scores<#N, #ReadN>>, %c: !nax.tensor<[#B, #slots, #ReadN], f32>, %s: !nax.tensor<[#B, #span], i32>) {
  // expected-error @below {{'nax.cached' op read<N>: scores [B,N,Read<N>] is already about what is read; read keys and values: read<N>(k)}}
  %y = nax.cached %x, %c span %s along #N : (!nax.tensor<[#B, #N, #ReadN], f32, scores<#N, #ReadN>>, !nax.tensor<[#B, #slots, #ReadN], f32>, !nax.tensor<[#B, #span], i32>) -> !nax.tensor<[#B, #ReadN], f32>
  return
}

// These are positions.
func.func @cached_no_span(%x: !nax.tensor<[#B, #N, #D], f32>, %c: !nax.tensor<[#B, #slots, #D], f32>, %s: !nax.tensor<[#B, #N], i32>) {
  // expected-error @below {{'nax.cached' op expects the span of N to be i32 on its rows and then on N.span, but got [B,N] of i32}}
  %y = nax.cached %x, %c span %s along #N : (!nax.tensor<[#B, #N, #D], f32>, !nax.tensor<[#B, #slots, #D], f32>, !nax.tensor<[#B, #N], i32>) -> !nax.tensor<[#B, #ReadN, #D], f32>
  return
}

// Each row starts elsewhere, so one key for all of them has no slot.
func.func @cached_no_row(%x: !nax.tensor<[#N, #D], f32>, %c: !nax.tensor<[#B, #slots, #D], f32>, %s: !nax.tensor<[#B, #span], i32>) {
  // expected-error @below {{'nax.cached' op expects what is cached to stand on all rows, but [N,D] lacks B}}
  %y = nax.cached %x, %c span %s along #N : (!nax.tensor<[#N, #D], f32>, !nax.tensor<[#B, #slots, #D], f32>, !nax.tensor<[#B, #span], i32>) -> !nax.tensor<[#ReadN, #D], f32>
  return
}

// The capacity is said when a cache is made.
func.func @cached_fixed_slots(%x: !nax.tensor<[#B, #N, #D], f32>, %c: !nax.tensor<[#B, #eight, #D], f32>, %s: !nax.tensor<[#B, #span], i32>) {
  // expected-error @below {{'nax.cached' op expects the cache to stand on the rows, on slots whose number is known when called and on the other axes of [B,N,D], but got [B,N.eight,D]}}
  %y = nax.cached %x, %c span %s along #N : (!nax.tensor<[#B, #N, #D], f32>, !nax.tensor<[#B, #eight, #D], f32>, !nax.tensor<[#B, #span], i32>) -> !nax.tensor<[#B, #ReadN, #D], f32>
  return
}

// A slot has room for all features.
func.func @cached_other_axes(%x: !nax.tensor<[#B, #N, #C, #D], f32>, %c: !nax.tensor<[#B, #slots, #D], f32>, %s: !nax.tensor<[#B, #span], i32>) {
  // expected-error @below {{'nax.cached' op expects the cache to stand on the rows, on slots whose number is known when called and on the other axes of [B,N,C,D], but got [B,N.cache,D]}}
  %y = nax.cached %x, %c span %s along #N : (!nax.tensor<[#B, #N, #C, #D], f32>, !nax.tensor<[#B, #slots, #D], f32>, !nax.tensor<[#B, #span], i32>) -> !nax.tensor<[#B, #ReadN, #C, #D], f32>
  return
}

// What attention reads is f32.
func.func @cached_number(%x: !nax.tensor<[#B, #N, #D], f32>, %c: !nax.tensor<[#B, #slots, #D], bf16>, %s: !nax.tensor<[#B, #span], i32>) {
  // expected-error @below {{'nax.cached' op expects the cache to hold plain f32, as attention reads [B,N,D], but got [B,N.cache,D] of bf16}}
  %y = nax.cached %x, %c span %s along #N : (!nax.tensor<[#B, #N, #D], f32>, !nax.tensor<[#B, #slots, #D], bf16>, !nax.tensor<[#B, #span], i32>) -> !nax.tensor<[#B, #ReadN, #D], f32>
  return
}

// What is read stands on Read.
func.func @cached_result(%x: !nax.tensor<[#B, #N, #D], f32>, %c: !nax.tensor<[#B, #slots, #D], f32>, %s: !nax.tensor<[#B, #span], i32>) {
  // expected-error @below {{'nax.cached' op expects the result [B,Read<N>,D] of f32, but got [B,N,D] of f32}}
  %y = nax.cached %x, %c span %s along #N : (!nax.tensor<[#B, #N, #D], f32>, !nax.tensor<[#B, #slots, #D], f32>, !nax.tensor<[#B, #span], i32>) -> !nax.tensor<[#B, #N, #D], f32>
  return
}

// The new ones are not all that may be read.
func.func @read_continued(%x: !nax.tensor<[#B, #N, #D], f32>) {
  // expected-error @below {{'nax.read' op expects a sequence whose positions are all here, but those of the continued N before its new ones are in a cache}}
  %y = nax.read %x along #N : (!nax.tensor<[#B, #N, #D], f32>) -> !nax.tensor<[#B, #ReadN, #D], f32>
  return
}

// What was before would be missing.
func.func @dot_continued(%x: !nax.tensor<[#B, #N, #D], f32>, %z: !nax.tensor<[#B, #N], f32>) {
  // expected-error @below {{'nax.dot' op expects a sequence whose positions are all here, but those of the continued N before its new ones are in a cache}}
  %y = nax.dot %x, %z over [#N] : (!nax.tensor<[#B, #N, #D], f32>, !nax.tensor<[#B, #N], f32>) -> !nax.tensor<[#B, #D], f32, whole #N>
  return
}

// What was before would be missing.
func.func @sum_continued(%x: !nax.tensor<[#B, #N, #D], f32>) {
  // expected-error @below {{'nax.sum' op expects a sequence whose positions are all here, but those of the continued N before its new ones are in a cache}}
  %y = nax.sum %x over [#N] : (!nax.tensor<[#B, #N, #D], f32>) -> !nax.tensor<[#B, #D], f32, whole #N>
  return
}

// The first position is not among the new ones.
func.func @first_continued(%x: !nax.tensor<[#B, #N, #D], f32>) {
  // expected-error @below {{'nax.first' op expects a sequence whose positions are all here, but those of the continued N before its new ones are in a cache}}
  %y = nax.first %x of #N : (!nax.tensor<[#B, #N, #D], f32>) -> !nax.tensor<[#B, #D], f32>
  return
}

// The label of the last new one is not here.
func.func @next_continued(%x: !nax.tensor<[#B, #N], i32, ids<#V>>) {
  // expected-error @below {{'nax.next' op expects a sequence whose positions are all here, but those of the continued N before its new ones are in a cache}}
  %y = nax.next %x along #N : (!nax.tensor<[#B, #N], i32, ids<#V>>) -> !nax.tensor<[#B, #NextN], i32, ids<#V>>
  return
}

// Rotation goes by the position in the row.
func.func @rope_continued(%x: !nax.tensor<[#B, #N, #D], f32>) {
  // expected-error @below {{'nax.rope' op expects the positions of the continued axis N as its data}}
  %y = nax.rope %x positions #N features #D by #rope : (!nax.tensor<[#B, #N, #D], f32>) -> !nax.tensor<[#B, #N, #D], f32, rotated<#N, #D, #rope>>
  return
}

// A span is not the positions.
func.func @rope_by_span(%x: !nax.tensor<[#B, #N, #D], f32>, %s: !nax.tensor<[#B, #span], i32>) {
  // expected-error @below {{'nax.rope' op expects the positions of N to be i32 on the rows of [B,N,D] and on N, but got [B,N.span] of i32}}
  %y = nax.rope %x data %s positions #N features #D by #rope : (!nax.tensor<[#B, #N, #D], f32>, !nax.tensor<[#B, #span], i32>) -> !nax.tensor<[#B, #N, #D], f32, rotated<#N, #D, #rope>>
  return
}

// The table has a row for the position in the row.
func.func @embed_positions_continued(%x: !nax.tensor<[#B, #N, #D], f32>, %t: !nax.tensor<[#C, #D], f32>) {
  // expected-error @below {{'nax.embed_positions' op expects the positions of the continued axis N as its data}}
  %y = nax.embed_positions %x, %t along #N : (!nax.tensor<[#B, #N, #D], f32>, !nax.tensor<[#C, #D], f32>) -> !nax.tensor<[#B, #N, #D], f32>
  return
}

// Which slots there are says the span.
func.func @softmax_continued(%x: !nax.tensor<[#B, #N, #ReadN], f32, scores<#N, #ReadN, masked, causally>>) {
  // expected-error @below {{'nax.softmax' op expects the span of the continued axis N as its data}}
  %y = nax.softmax %x along #ReadN : (!nax.tensor<[#B, #N, #ReadN], f32, scores<#N, #ReadN, masked, causally>>) -> !nax.tensor<[#B, #N, #ReadN], f32, weights<#ReadN>>
  return
}

// Positions do not say where a row ends.
func.func @softmax_by_positions(%x: !nax.tensor<[#B, #N, #ReadN], f32, scores<#N, #ReadN, masked, causally>>, %p: !nax.tensor<[#B, #N], i32>) {
  // expected-error @below {{'nax.softmax' op expects the span of N to be i32 on the rows of scores [B,N,Read<N>] and on N.span, but got [B,N] of i32}}
  %y = nax.softmax %x data %p along #ReadN : (!nax.tensor<[#B, #N, #ReadN], f32, scores<#N, #ReadN, masked, causally>>, !nax.tensor<[#B, #N], i32>) -> !nax.tensor<[#B, #N, #ReadN], f32, weights<#ReadN>>
  return
}

// A row may have fewer new positions than the others.
func.func @last_continued(%x: !nax.tensor<[#B, #N, #D], f32>) {
  // expected-error @below {{'nax.last' op expects the span of the continued axis N as its data}}
  %y = nax.last %x of #N : (!nax.tensor<[#B, #N, #D], f32>) -> !nax.tensor<[#B, #D], f32, whole #N>
  return
}

// Of what is cached the documents must be known as well.
func.func @same_document_continued(%d: !nax.tensor<[#B, #N], i32>) {
  // expected-error @below {{'nax.same_document' op expects what is cached of the documents exactly if the axis is continued, as N is}}
  %y = nax.same_document %d of #N : (!nax.tensor<[#B, #N], i32>) -> !nax.tensor<[#B, #N, #ReadN], i1, mask<#N, #ReadN>>
  return
}

// There is no cache.
func.func @same_document_all(%d: !nax.tensor<[#B, #Z], i32>, %c: !nax.tensor<[#B, #ReadZ], i32>) {
  // expected-error @below {{'nax.same_document' op expects what is cached of the documents exactly if the axis is continued, as Z is not}}
  %y = nax.same_document %d cached %c of #Z : (!nax.tensor<[#B, #Z], i32>, !nax.tensor<[#B, #ReadZ], i32>) -> !nax.tensor<[#B, #Z, #ReadZ], i1, mask<#Z, #ReadZ>>
  return
}

// Cached for other rows.
func.func @same_document_others(%d: !nax.tensor<[#B, #N], i32>, %c: !nax.tensor<[#ReadN], i32>) {
  // expected-error @below {{'nax.same_document' op expects the cached documents to be as [B,N] with Read<N>, but got [Read<N>]}}
  %y = nax.same_document %d cached %c of #N : (!nax.tensor<[#B, #N], i32>, !nax.tensor<[#ReadN], i32>) -> !nax.tensor<[#B, #N, #ReadN], i1, mask<#N, #ReadN>>
  return
}

// -----

// expected-error @below {{expects nax.decode to be a unit attribute of a function}}
func.func private @decode() attributes {nax.decode = "all"}

// -----

// expected-error @below {{expects nax.step to be the name of an entry, at a function derived from it}}
func.func private @step() attributes {nax.step}

// -----

#B = #nax.axis<"B">
#N = #nax.axis<"N", causal, continued>
// expected-error @below {{expects nax.span to be a continued axis whose span the argument is}}
func.func private @span(!nax.tensor<[#B], i32> {nax.span = #N})

// -----

#B = #nax.axis<"B">
#N = #nax.axis<"N", causal, continued>
// expected-error @below {{expects the data of the continued axis N to be i32 on its rows and on it}}
func.func private @documents(!nax.tensor<[#B], i32> {nax.data = #N})

// -----

#B = #nax.axis<"B">
// expected-error @below {{expects nax.cache to have an index, and be fixed or a ring of a size}}
func.func private @cache(!nax.tensor<[#B], f32> {nax.cache = {ring = 4}})

// -----

#B = #nax.axis<"B">
// expected-error @below {{expects nax.cache to have an index, and be fixed or a ring of a size}}
func.func private @both(!nax.tensor<[#B], f32> {nax.cache = {index = 0, ring = 4, fixed}})

// -----

#B = #nax.axis<"B">
// expected-error @below {{expects nax.cache to have an index, and be fixed or a ring}}
func.func private @result() -> (!nax.tensor<[#B], f32> {nax.cache = 1 : i64})
