//===- Abi.h - what an object shows to C ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_EMIT_ABI_H
#define NAX_LIB_EMIT_ABI_H

#include "nax/Emit/ModelInfo.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/IR/Module.h"

namespace nax {

/// What a model has once for each level of processor.
struct LevelAbi {
  std::string name;
  int64_t number; ///< nax_cpu
  /// What nax-to-linalg wrote of the block of parameters.
  mlir::ArrayAttr slots;
  int64_t blockBytes;
};

/// What nax-launch-to-llvm left of a module: nax.images and nax.kernels.
struct CudaCode {
  mlir::ArrayAttr images, kernels;
};

/// Makes `module` the code of one level: everything in it becomes internal but
/// the functions that its level's description has, which are hidden.
void emitLevelAbi(llvm::Module &module, const ModelInfo &info,
                  llvm::StringRef level);

/// Adds the functions of the generated header and the constant `NAME_desc`
/// (nax_model_desc of the runtime's model_desc.h) to `module`. They refer to
/// what emitLevelAbi left in the modules of the levels. With `cuda` the module
/// is the form for GPUs, whose functions are those with `cuda` in their names
/// and whose constant is `NAME_cuda_desc`.
void emitAbi(llvm::Module &module, const ModelInfo &info,
             llvm::ArrayRef<LevelAbi> levels, const CudaCode *cuda = nullptr);

} // namespace nax

#endif // NAX_LIB_EMIT_ABI_H
