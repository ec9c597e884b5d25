// The form of a module that the language writes, in generic form and read back.
// RUN: nax-opt %s --verify-roundtrip | FileCheck %s

#B = #nax.axis<"B">
#T = #nax.axis<"T", causal, ragged>
#V = #nax.axis<"V", 16>
#C = #nax.axis<"C", 8>

// CHECK: module attributes {nax.format = 1 : i64, nax.model = "tiny", nax.names = [{param = "table", table = "gguf"}]}
module attributes {nax.model = "tiny", nax.format = 1 : i64, nax.names = [{table = "gguf", param = "table"}]} {
  // CHECK:      func.func @forward(
  // CHECK-SAME:   {nax.name = "ids"}
  // CHECK-SAME:   !nax.tensor<[#B], i32> {nax.data = #T, nax.name = "T_lengths"})
  // CHECK-SAME:   -> (!nax.tensor<[#B, #T, #C], f32> {nax.name = "x"}) attributes {nax.entry}
  "func.func"() <{function_type = (!nax.tensor<[#B, #T], i32, ids<#V>>, !nax.tensor<[#B], i32>) -> !nax.tensor<[#B, #T, #C], f32>, sym_name = "forward", arg_attrs = [{nax.name = "ids"}, {nax.name = "T_lengths", nax.data = #T}], res_attrs = [{nax.name = "x"}]}> ({
  ^bb0(%ids: !nax.tensor<[#B, #T], i32, ids<#V>>, %lengths: !nax.tensor<[#B], i32>):
    %table = "nax.param"() {name = "table"} : () -> !nax.tensor<[#V, #C], f32>
    // CHECK: nax.embed
    %x = "nax.embed"(%ids, %table) {from = #V} : (!nax.tensor<[#B, #T], i32, ids<#V>>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
    "func.return"(%x) : (!nax.tensor<[#B, #T, #C], f32>) -> ()
  }) {nax.entry} : () -> ()
}
