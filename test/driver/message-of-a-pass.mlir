// What a pass refuses is reported at the user's line, not at an operation of the IR.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: not naxc model.mlir -o x.o 2>&1 | FileCheck %s
// RUN: not naxc coded.mlir -o x.o 2>&1 | FileCheck %s --check-prefix=CODED
// RUN: not ls x.o

// CHECK: {{^}}model.cpp:3:12: error:
// CHECK-NEXT: the third line, as its author wrote it

// The page of a code is named here too.
// CODED: {{^}}coded.mlir:5:10: error: {{.*}}  [N0003]
// CODED: {{^}}(naxc explain N0003 says more)

//--- coded.mlir
#C = #nax.axis<"C", 8>
#D = #nax.axis<"D", 4>
module attributes {nax.model = "m", nax.format = 1 : i64} {
  func.func @run(%x: !nax.tensor<[#C], f32> {nax.name = "x"}, %y: !nax.tensor<[#D], f32> {nax.name = "y"}) -> (!nax.tensor<[#D], f32> {nax.name = "out"}) attributes {nax.entry} {
    %z = nax.dot %x, %y over [#C] : (!nax.tensor<[#C], f32>, !nax.tensor<[#D], f32>) -> !nax.tensor<[#D], f32>
    return %z : !nax.tensor<[#D], f32>
  }
}
//--- model.cpp
first
second
the third line, as its author wrote it
//--- model.mlir
#B = #nax.axis<"B">
#T = #nax.axis<"T", causal>
#D = #nax.axis<"D", 8>
#S = #nax.axis<read #T>
module attributes {nax.model = "m", nax.format = 1 : i64} {
  func.func @run(%x: !nax.tensor<[#T, #D], f32> {nax.name = "x"}, %bias: !nax.tensor<[#T, #S], f32> {nax.name = "bias"})
      -> (!nax.tensor<[#T, #D], f32> {nax.name = "out"}) attributes {nax.entry} {
    %r = nax.read %x along #T : (!nax.tensor<[#T, #D], f32>) -> !nax.tensor<[#S, #D], f32> loc("model.cpp":2:1)
    %y = nax.attention %x, %r, %r over #D along #S scale 1.0 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#S, #D], f32>, !nax.tensor<[#S, #D], f32>) -> !nax.tensor<[#T, #D], f32> loc("model.cpp":3:12)
    return %y : !nax.tensor<[#T, #D], f32>
  }
}
