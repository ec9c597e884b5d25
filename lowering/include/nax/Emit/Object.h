//===- Object.h - from the LLVM dialect to files ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_EMIT_OBJECT_H
#define NAX_EMIT_OBJECT_H

#include "nax/Emit/ModelInfo.h"
#include "nax/Pipeline/Pipeline.h"

#include "llvm/Support/raw_ostream.h"

namespace nax {

enum class FileKind { LLVMIR, Assembly, Object };

/// Translates a module of the last stage, and with it the model's form for GPUs
/// where there is one, adds the model's C functions and its
/// description (Abi.cpp), optimises and writes it. Errors are reported on the
/// module; nothing sensible is in `os` then.
mlir::LogicalResult emitObject(mlir::ModuleOp module, const ModelInfo &info,
                               const CompileOptions &options, FileKind kind,
                               llvm::raw_pwrite_stream &os,
                               mlir::ModuleOp cudaModule = {},
                               const ModelInfo *cudaInfo = nullptr);

} // namespace nax

#endif // NAX_EMIT_OBJECT_H
