// What axes, rotations, kinds and types refuse.
// RUN: nax-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expects an axis to have a name}}
#A = #nax.axis<"">

// -----

// expected-error @below {{expects the size of axis C to be positive, but got 0}}
#C = #nax.axis<"C", 0>

// -----

// expected-error @below {{expects ragged data on a sequence only, but C is plain}}
#C = #nax.axis<"C", ragged>

// -----

// expected-error @below {{expects positions, causal, ragged, packed, left_padded, continued or a size, but got casual}}
#T = #nax.axis<"T", casual>

// -----

// What is read is a sequence.
#C = #nax.axis<"C", 8>
// expected-error @below {{expects what is read to be a sequence (positions or causal), but got C}}
#S = #nax.axis<read #C>

// -----

// Nobody reads what is being read.
#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
// expected-error @below {{expects what is next to be a sequence (positions or causal), but got T}}
#N = #nax.axis<next #S>

// -----

// A sequence is no part of another axis.
#T = #nax.axis<"T", causal>
#C = #nax.axis<"C", 8>
// expected-error @below {{expects the parts of axis H to be no sequences, but T is one}}
#H = #nax.axis<"H" = #T * #C>

// -----

// A factor twice could not be split apart.
#C = #nax.axis<"C", 8>
// expected-error @below {{expects the factors of axis H to differ, but C is there twice}}
#H = #nax.axis<"H" = #C * #C>

// -----

// 2^62 times 4.
#A = #nax.axis<"A", 4611686018427387904>
#Bx = #nax.axis<"B", 4>
// expected-error @below {{expects the size of axis H to fit into 64 bits}}
#H = #nax.axis<"H" = #A * #Bx>

// -----

// expected-error @below {{expects the base of a rope to be positive, but got -1}}
#r = #nax.rope<base = -1.0, pairing = halves, scaling = 1.0, dims = 0>

// -----

// expected-error @below {{expects the scaling of a rope to be positive, but got 0}}
#r = #nax.rope<base = 1.0, pairing = halves, scaling = 0.0, dims = 0>

// -----

// expected-error @below {{expects the rotary size of a rope to be even, but got 7}}
#r = #nax.rope<base = 1.0, pairing = halves, scaling = 1.0, dims = 7>

// -----

// expected-error @below {{expects pairing halves or interleaved, but got thirds}}
#r = #nax.rope<base = 1.0, pairing = thirds, scaling = 1.0, dims = 0>

// -----

#C = #nax.axis<"C", 8>
// expected-error @below {{Tensor: [C,C] has the axis C twice; declare a second axis  [N0011]}}
func.func private @twice(!nax.tensor<[#C, #C], f32>)

// -----

#C = #nax.axis<"C", 8>
#C2 = #nax.axis<"C", 9>
// expected-error @below {{Tensor: [C,C] has two declarations of the name C; use one, or give them two names  [N0002]}}
func.func private @declarations(!nax.tensor<[#C, #C2], f32>)

// -----

#T = #nax.axis<"T", causal>
// expected-error @below {{Tensor: [T] may not stand on T, all of which it has seen  [N0025]}}
func.func private @whole(!nax.tensor<[#T], f32, whole #T>)

// -----

#C = #nax.axis<"C", 8>
// expected-error @below {{expects only a causal axis to be seen whole, but C is none}}
func.func private @whole_plain(!nax.tensor<[], f32, whole #C>)

// -----

// expected-error @below {{expects elements of f64, f32, f16, bf16, i32, i64 or i1, but got 'i8'}}
func.func private @element(!nax.tensor<[], i8>)

// -----

#V = #nax.axis<"V", 8>
// expected-error @below {{Tensor: ids [] of f32 are no indices; ids are i32, the default, or i64: Ids<V, i64>  [N0041]}}
func.func private @ids(!nax.tensor<[], f32, ids<#V>>)

// -----

#V = #nax.axis<"V", 2147483649>
// expected-error @below {{Tensor: ids [] of i32 are too narrow for V (2147483649); write Ids<V, i64>  [N0041]}}
func.func private @narrow_ids(!nax.tensor<[], i32, ids<#V>>)

// -----

#V = #nax.axis<"V", 8>
// expected-error @below {{expects logits about V to stand on it}}
func.func private @logits(!nax.tensor<[], f32, logits<#V>>)

// -----

#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
// expected-error @below {{expects a mask to be i1, but got 'f32'}}
func.func private @mask(!nax.tensor<[#S], f32, mask<every, #S>>)

// -----

#T = #nax.axis<"T", causal>
// expected-error @below {{expects scores to be about an axis being read, but got T}}
func.func private @scores(!nax.tensor<[#T], f32, scores<#T, #T>>)

// -----

#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
// expected-error @below {{expects capped, biased, masked or causally, but got masqued}}
func.func private @state(!nax.tensor<[#T, #S], f32, scores<#T, #S, masqued>>)

// -----

#T = #nax.axis<"T", causal>
// expected-error @below {{expects a kind of tensor (ids, rotated, scores, weights, logits, mask, losses), but got probabilities}}
func.func private @kind(!nax.tensor<[#T], f32, probabilities<#T>>)
