//===- LaunchToLLVM.td - launches become calls of the runtime -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_CONVERSION_LAUNCH_TO_LLVM
#define NAX_CONVERSION_LAUNCH_TO_LLVM

include "mlir/Pass/PassBase.td"

def LaunchToLLVM : Pass<"nax-launch-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Launches become calls of naxrt_cuda_launch";
  let description = [{
    Kernels are numbered in the order of their gpu.module; the module attribute
    `nax.kernels` has their names and the most shared memory that a launch of each
    asks for, `nax.images` the PTX of each gpu.module (its `nax.ptx`). The
    gpu.modules are gone then.

    ```mlir
    nax.launch @lm_kernels::@norm grid(%n, %c1, %c1) threads(256) shared(0)
        (%x, %rows : memref<?x576xf32>, i32)
    // becomes, with %shape, %slots and %arguments of the whole function
    llvm.store ... // 7 numbers to %shape, the address of %x and %rows to %slots
    llvm.call @naxrt_cuda_launch(%context, %number, %shape, %arguments)
    ```

    Errors: the function around a launch has no context as its first argument; a
    gpu.module has no PTX.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

#endif // NAX_CONVERSION_LAUNCH_TO_LLVM
