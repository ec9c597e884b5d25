// A gpu.module's PTX is its attribute, and a file; libdevice is not asked for.
// RUN: rm -rf %t && nax-opt %s --nax-gpu-to-ptx=dir=%t -o %t.mlir
// RUN: FileCheck %s < %t/lm_kernels.ptx
// RUN: FileCheck %s --check-prefix=ATTRIBUTE < %t.mlir
// RUN: nax-opt %s "--nax-gpu-to-ptx=chip=sm_90a features=+ptx83" | FileCheck %s --check-prefix=CHIP

// ATTRIBUTE: gpu.module @lm_kernels attributes {nax.ptx = "{{.*}}.version 8.0\0A.target sm_80\0A
// ATTRIBUTE: gpu.func @square
// CHIP: .version 8.3\0A.target sm_90a\0A

// CHECK:      .target sm_80
// CHECK-NOT:  __nv_
// CHECK:      .visible .entry square(
// CHECK:      .loc
// CHECK:      mul.rn.f32
// CHECK-NOT:  __nv_
gpu.module @lm_kernels {
  gpu.func @square(%x: !llvm.ptr<1>) kernel {
    %0 = llvm.load %x : !llvm.ptr<1> -> f32
    %1 = arith.mulf %0, %0 : f32
    llvm.store %1, %x : f32, !llvm.ptr<1>
    gpu.return
  }
}
