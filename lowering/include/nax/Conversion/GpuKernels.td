//===- GpuKernels.td - passes that make kernels of a GPU ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_CONVERSION_GPUKERNELS
#define NAX_CONVERSION_GPUKERNELS

include "mlir/Pass/PassBase.td"

def GpuKernels : Pass<"nax-gpu-kernels", "::mlir::ModuleOp"> {
  let summary = "Make a launch of each operation on memory";
  let description = [{
    Takes the stage `planned` of a model that `nax-to-linalg{target=gpu}` has put
    into memory. Each `nax.kernel.*`, linalg operation, memref.copy and scf.parallel
    of a function becomes one or a few `nax.launch`. Operations that are equal but
    for the memory that they work on share a kernel of the module's one gpu.module.
    Loops of scf and calls of functions stay the host's; a load of memory by the
    host is an error, since no launch waits for another by itself.

    ```mlir
    func.func @f(%x: memref<?x8xf32>, %y: memref<?x8xf32>) {
      linalg.generic ... ins(%x : memref<?x8xf32>) outs(%y : memref<?x8xf32>)
      return
    }
    // becomes
    gpu.module @nax_kernels {
      gpu.func @elementwise(%x: !llvm.ptr<1>, %size: i32, ...) kernel { ... }
    }
    func.func @f(%x: memref<?x8xf32>, %y: memref<?x8xf32>) {
      nax.launch @nax_kernels::@elementwise grid(%blocks, %c1, %c1) threads(256) shared(0)
          (%x, %size, %y, %size : memref<?x8xf32>, i32, memref<?x8xf32>, i32)
      return
    }
    ```

    Afterwards a function has launches, views of memory and arithmetic on sizes.
    The result of a row depends neither on other rows nor on the grid.
  }];
  let options = [
    Option<"tf32", "tf32", "bool", /*default=*/"false",
           "dots and attention of f32 on tensor cores, factors rounded to tf32">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::nax::NaxDialect"
  ];
}

#endif // NAX_CONVERSION_GPUKERNELS
