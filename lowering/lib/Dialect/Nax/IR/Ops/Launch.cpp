//===- Launch.cpp - kernels of a GPU: verifiers ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

using namespace mlir;
using namespace nax;

/// What a block may have on every GPU (CUDA programming guide, "Compute
/// Capabilities").
static constexpr int64_t kMaxThreads = 1024, kWarp = 32;

LogicalResult LaunchOp::verify() {
  int64_t threads = getThreads(), shared = getShared();
  if (threads <= 0 || threads > kMaxThreads || threads % kWarp != 0)
    return emitOpError("expects a multiple of 32 threads, at most 1024, but "
                       "got ")
           << threads;
  if (shared < 0)
    return emitOpError("expects no negative shared memory, but got ") << shared;
  return success();
}

/// Whether a kernel's argument of type `wanted` is what `operand` becomes.
static bool fits(Type operand, Type wanted) {
  if (isa<MemRefType>(operand))
    return isa<LLVM::LLVMPointerType>(wanted);
  return operand == wanted;
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel =
      symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(*this, getKernelAttr());
  if (!kernel || !kernel.isKernel())
    return emitOpError("expects a kernel of a gpu.module, but got ")
           << getKernel();
  TypeRange wanted = kernel.getFunctionType().getInputs();
  if (wanted.size() != getArguments().size()) {
    InFlightDiagnostic error = emitOpError("expects ")
                               << wanted.size() << " arguments, but got "
                               << getArguments().size();
    error.attachNote(kernel.getLoc()) << "the kernel";
    return error;
  }
  for (auto [i, operand] : llvm::enumerate(getArguments())) {
    if (fits(operand.getType(), wanted[i]))
      continue;
    InFlightDiagnostic error = emitOpError("expects argument ")
                               << i << " for " << wanted[i] << ", but got "
                               << operand.getType();
    error.attachNote(kernel.getLoc()) << "the kernel";
    return error;
  }
  return success();
}
