// What a stage should have lowered is an error, at the user's line.
// RUN: nax-opt %s --nax-check-stage=stage=linalg --split-input-file --verify-diagnostics
// RUN: not nax-opt %s --nax-check-stage=stage=nax --split-input-file -o %t 2>&1 | FileCheck %s --check-prefix=NAX

// NAX: error: 'arith.constant' is left after stage nax
func.func @linalg(%x: memref<4x8xf32>, %g: memref<8xf32>) {
  %c = arith.constant 0 : index
  nax.kernel.norm "rms" %x, %g into %x eps 1.0e-5 : memref<4x8xf32>, memref<8xf32>, memref<4x8xf32>
  return
}

// -----

#C = #nax.axis<"C", 8>
func.func @left(%x: !nax.tensor<[#C], f32>) {
  // expected-error @below {{'nax.neg' is left after stage linalg, which no later stage expects}}
  %0 = nax.neg %x : !nax.tensor<[#C], f32>
  return
}
