//===- CodeGen.h - from LLVM IR to machine code or PTX ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// What code for processors and code for GPUs have in common. Each function
// gives what is wrong in the words of a diagnostic on a module; empty: nothing.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_CODEGEN_CODEGEN_H
#define NAX_CODEGEN_CODEGEN_H

#include "llvm/Support/CodeGen.h"

#include <string>

namespace llvm {
class Module;
class raw_pwrite_stream;
class TargetMachine;
} // namespace llvm

namespace nax {

/// Verifies a module and runs LLVM's passes of -O3 on it, for that machine.
/// With `packsScalars` like scalars side by side become vectors (SLP).
std::string optimise(llvm::Module &code, llvm::TargetMachine &machine,
                     bool packsScalars);

std::string writeCode(llvm::Module &code, llvm::TargetMachine &machine,
                      llvm::CodeGenFileType type, llvm::raw_pwrite_stream &os);

} // namespace nax

#endif // NAX_CODEGEN_CODEGEN_H
