//===- Passes.td - PTX as a pass ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_PTX_PASSES
#define NAX_PTX_PASSES

include "mlir/Pass/PassBase.td"

def GpuToPtx : Pass<"nax-gpu-to-ptx", "::mlir::ModuleOp"> {
  let summary = "Give each gpu.module its PTX";
  let description = [{
    The PTX becomes the attribute `nax.ptx` of its gpu.module; with `dir` it is
    also written to DIR/NAME.ptx. Functions stay, for launches name them.

    ```mlir
    gpu.module @lm_kernels {
      gpu.func @empty() kernel { gpu.return }
    }
    // becomes
    gpu.module @lm_kernels attributes {nax.ptx = "...\0A.version 8.0\0A.target sm_80\0A..."} {
      gpu.func @empty() kernel { gpu.return }
    }
    ```

    What is in no dialect that LLVM has PTX for, and functions that it could only
    find in libdevice, are errors.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "the least chip that can run it">,
    Option<"features", "features", "std::string", /*default=*/"\"+ptx80\"",
           "features of the chip: the version of PTX">,
    Option<"dir", "dir", "std::string", /*default=*/"\"\"",
           "folder to write NAME.ptx to">,
  ];
}

#endif // NAX_PTX_PASSES
