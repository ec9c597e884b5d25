// Launches are read back as they are printed.
// RUN: nax-opt %s --verify-roundtrip | FileCheck %s
// RUN: nax-opt %s --mlir-print-op-generic | nax-opt | FileCheck %s

gpu.module @lm_kernels {
  gpu.func @copy(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>, %n: i32) kernel {
    gpu.return
  }
  gpu.func @nothing() kernel {
    gpu.return
  }
}

// CHECK-LABEL: func @host(
// CHECK: nax.launch @lm_kernels::@copy grid(%[[X:.*]], %[[ONE:.*]], %[[ONE]]) threads(128) shared(4096) (%{{.*}}, %{{.*}}, %{{.*}} : memref<?x8xf32>, memref<?x8xf32>, i32)
// CHECK: nax.launch @lm_kernels::@nothing grid(%[[X]], %[[X]], %[[X]]) threads(32) shared(0) ()
func.func @host(%x: index, %from: memref<?x8xf32>, %to: memref<?x8xf32>, %n: i32) {
  %one = arith.constant 1 : index
  nax.launch @lm_kernels::@copy grid(%x, %one, %one) threads(128) shared(4096) (%from, %to, %n : memref<?x8xf32>, memref<?x8xf32>, i32)
  nax.launch @lm_kernels::@nothing grid(%x, %x, %x) threads(32) shared(0) ()
  return
}
