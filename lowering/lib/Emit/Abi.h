//===- Abi.h - what an object shows to C ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_EMIT_ABI_H
#define NAX_LIB_EMIT_ABI_H

#include "nax/Emit/ModelInfo.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/IR/Module.h"

namespace nax {

/// What nax-launch-to-llvm left of a module: nax.images and nax.kernels.
struct CudaCode {
  mlir::ArrayAttr images, kernels;
};

/// Adds the functions of the generated header and the constant `NAME_desc`
/// (nax_model_desc of the runtime's model_desc.h) to `module`; everything else
/// becomes internal. `slots` and `blockBytes` are what nax-to-linalg wrote.
/// With `cuda` the module is the form for GPUs, whose functions are those with
/// `cuda` in their names and whose constant is `NAME_cuda_desc`.
void emitAbi(llvm::Module &module, const ModelInfo &info, mlir::ArrayAttr slots,
             int64_t blockBytes, int64_t cpuLevel,
             const CudaCode *cuda = nullptr);

} // namespace nax

#endif // NAX_LIB_EMIT_ABI_H
