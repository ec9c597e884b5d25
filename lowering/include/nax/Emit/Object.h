//===- Object.h - from the LLVM dialect to files ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_EMIT_OBJECT_H
#define NAX_EMIT_OBJECT_H

#include "nax/Emit/ModelInfo.h"

#include "llvm/Support/raw_ostream.h"

namespace nax {

enum class FileKind { LLVMIR, Assembly, Object };

/// A module of the last stage that was lowered for one CpuTarget.
struct LevelModule {
  std::string cpu;
  mlir::ModuleOp module;
};

/// Translates modules of the last stage, and with them the model's form for
/// GPUs where there is one, adds the model's C functions and its description
/// (Abi.cpp), optimises and writes it, and leaves the sizes of workspaces in
/// `info`. Levels are worked on by several threads. Errors are reported on a
/// module; nothing sensible is in `os` then.
mlir::LogicalResult emitObject(llvm::ArrayRef<LevelModule> levels,
                               ModelInfo &info, FileKind kind,
                               llvm::raw_pwrite_stream &os,
                               mlir::ModuleOp cudaModule = {},
                               const ModelInfo *cudaInfo = nullptr);

} // namespace nax

#endif // NAX_EMIT_OBJECT_H
