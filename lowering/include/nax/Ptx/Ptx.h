//===- Ptx.h - from a gpu.module to PTX -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_PTX_PTX_H
#define NAX_PTX_PTX_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace nax {

struct PtxOptions {
  std::string chip = "sm_80";
  std::string features = "+ptx80"; ///< the version of PTX: CUDA 12.0 and later
};

/// What translates a gpu.module's dialects to LLVM IR; a context that emitPtx
/// is to run in needs it.
void registerPtxTranslations(mlir::DialectRegistry &registry);

/// The PTX of a gpu.module, which stays as it is. Needs no CUDA toolkit and no
/// libdevice. Reports an error where LLVM has no PTX for what is in the module.
mlir::FailureOr<std::string> emitPtx(mlir::gpu::GPUModuleOp module,
                                     const PtxOptions &options);

/// What NVPTX would end the process for: an empty string if there is nothing of
/// the kind, or a phrase such as "calls llvm.log.f32 in @kernel".
std::string findUnknownToPtx(const llvm::Module &module);

#define GEN_PASS_DECL
#include "nax/Ptx/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nax/Ptx/Passes.h.inc"

} // namespace nax

#endif // NAX_PTX_PTX_H
