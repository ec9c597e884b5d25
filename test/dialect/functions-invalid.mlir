// What the attributes of modules, functions and arguments refuse.
// RUN: nax-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expects nax.entry to be a unit attribute of a function}}
func.func private @entry() attributes {nax.entry = 1 : i64}

// -----

// Another format is for another compiler.
// expected-error @below {{expects nax.format to be the format of this compiler, 1 : i64}}
module attributes {nax.format = 2 : i64} {}

// -----

// expected-error @below {{expects nax.model to be a string}}
module attributes {nax.model = 2 : i64} {}

// -----

// expected-error @below {{expects nax.names to be an array of dictionaries}}
module attributes {nax.names = ["a"]} {}

// -----

#C = #nax.axis<"C", 8>
#E = #nax.axis<"E", 8>
// Both have 8 components: which is first in the file?
// expected-error @below {{names table gguf: C and E of layers.0.w [C,E] are both 8, so no shape tells their order in the file; say it: "C E" or "E C"  [N0046]}}
module attributes {nax.names = [{table = "gguf", param = "layers.*.w", file = "w"}]} {
  func.func @f() {
    %w = nax.param "layers.0.w" : !nax.tensor<[#C, #E], f32>
    return
  }
}

// -----

#C = #nax.axis<"C", 8>
#F = #nax.axis<"F", 16>
// expected-error @below {{names table gguf: "F" leaves out C of w [C,F]  [N0046]}}
module attributes {nax.names = [{table = "gguf", param = "w", file = "w", axes = "F"}]} {
  func.func @f() {
    %w = nax.param "w" : !nax.tensor<[#C, #F], f32>
    return
  }
}

// -----

#C = #nax.axis<"C", 8>
#F = #nax.axis<"F", 16>
// expected-error @below {{names table gguf: "interleaved_to_halves:D" is about D, which w [C,F] has not  [N0037]}}
module attributes {nax.names = [{table = "gguf", param = "w", file = "w", pairing = "interleaved_to_halves:D"}]} {
  func.func @f() {
    %w = nax.param "w" : !nax.tensor<[#C, #F], f32>
    return
  }
}

// -----

#B = #nax.axis<"B">
// expected-error @below {{expects nax.name to be a string}}
func.func private @name(!nax.tensor<[#B], i32> {nax.name = 1 : i64})

// -----

#B = #nax.axis<"B">
// expected-error @below {{expects nax.name to be a string}}
func.func private @result_name() -> (!nax.tensor<[#B], i32> {nax.name})

// -----

#B = #nax.axis<"B">
// expected-error @below {{expects nax.param to be a unit attribute}}
func.func private @param(!nax.tensor<[#B], i32> {nax.param = "w"})

// -----

// All positions of T are real.
#B = #nax.axis<"B">
#T = #nax.axis<"T", causal>
// expected-error @below {{expects nax.data to be a ragged, packed or left-padded sequence}}
func.func private @data(!nax.tensor<[#B], i32> {nax.data = #T})

// -----

// Each position of a packed axis has its document.
#B = #nax.axis<"B">
#T = #nax.axis<"T", causal, packed>
// expected-error @below {{expects the data of the packed axis T to be i32 on its rows and on it}}
func.func private @documents(!nax.tensor<[#B], i32> {nax.data = #T})

// -----

#B = #nax.axis<"B">
#T = #nax.axis<"T", causal, left_padded>
// expected-error @below {{expects the data of the left-padded axis T to be i32 on its rows alone}}
func.func private @starts(!nax.tensor<[#B, #T], i32> {nax.data = #T})
