// Which dots share a kernel: those that do the same with their sums, on whichever
// memory; a number from outside is an operand.
// RUN: nax-opt %s --nax-gpu-kernels | FileCheck %s

// CHECK-LABEL: func.func @shared
// CHECK: nax.launch @nax_kernels::@dot_bf16_K64_N64_few grid{{.*}}, f32)
// CHECK: nax.launch @nax_kernels::@dot_bf16_K64_N64 grid{{.*}}, f32)
// CHECK: nax.launch @nax_kernels::@dot_bf16_K64_N64_few grid{{.*}}, f32)
// CHECK: nax.launch @nax_kernels::@dot_bf16_K64_N64 grid{{.*}}, f32)
func.func @shared(%a: memref<?x64xbf16>, %w: memref<64x64xbf16>, %c: memref<?x64xbf16>,
                  %x: memref<?x64xbf16>, %s: f32) {
  nax.kernel.dot %a, %w into %c epilogue(%x : memref<?x64xbf16>) {
  ^bb0(%sum: f32, %r: bf16):
    %wide = arith.extf %r : bf16 to f32
    %m = arith.mulf %sum, %s : f32
    %y = arith.addf %m, %wide : f32
    %t = arith.truncf %y : f32 to bf16
    nax.yield %t : bf16
  } : memref<?x64xbf16>, memref<64x64xbf16>, memref<?x64xbf16>
  nax.kernel.dot %a, %w into %x epilogue(%c : memref<?x64xbf16>) {
  ^bb0(%sum: f32, %r: bf16):
    %wide = arith.extf %r : bf16 to f32
    %m = arith.mulf %sum, %s : f32
    %y = arith.addf %m, %wide : f32
    %t = arith.truncf %y : f32 to bf16
    nax.yield %t : bf16
  } : memref<?x64xbf16>, memref<64x64xbf16>, memref<?x64xbf16>
  return
}

// CHECK-LABEL: func.func @others
// CHECK: nax.launch @nax_kernels::@dot_bf16_K64_N64_1 grid
// CHECK: nax.launch @nax_kernels::@dot_bf16_K64_N64_2 grid
// CHECK: nax.launch @nax_kernels::@dot_bf16_K64_N64_3 grid
func.func @others(%a: memref<?x64xbf16>, %w: memref<64x64xbf16>, %c: memref<?x64xbf16>,
                  %b: memref<64xbf16>) {
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  nax.kernel.dot %a, %w into %c : memref<?x64xbf16>, memref<64x64xbf16>, memref<?x64xbf16>
  nax.kernel.dot %a, %w into %c epilogue(%b : memref<64xbf16>) {
  ^bb0(%sum: f32, %r: bf16):
    %y = arith.mulf %sum, %two : f32
    %t = arith.truncf %y : f32 to bf16
    nax.yield %t : bf16
  } : memref<?x64xbf16>, memref<64x64xbf16>, memref<?x64xbf16>
  nax.kernel.dot %a, %w into %c epilogue(%b : memref<64xbf16>) {
  ^bb0(%sum: f32, %r: bf16):
    %y = arith.mulf %sum, %three : f32
    %t = arith.truncf %y : f32 to bf16
    nax.yield %t : bf16
  } : memref<?x64xbf16>, memref<64x64xbf16>, memref<?x64xbf16>
  return
}
