// A dump of stage nax that was edited by hand is proved causal again.
// REQUIRES: lowering
// RUN: not naxc %s -o %t.o 2>&1 | FileCheck %s
// CHECK: edited-stage.mlir:[[#@LINE+9]]:10: error: 'nax.add' op lets the future in: [] has seen every position of T and meets T here

#C = #nax.axis<"C", 8>
#T = #nax.axis<"T", causal>
!x = !nax.tensor<[#T, #C], f32>
!one = !nax.tensor<[], f32>
module attributes {nax.format = 1 : i64, nax.model = "m", nax.stage = "nax"} {
  func.func @forward(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry} {
    %h = nax.mean %x over [#T, #C] : (!x) -> !one
    %y = nax.add %x, %h : (!x, !one) -> !x
    return %y : !x
  }
}
