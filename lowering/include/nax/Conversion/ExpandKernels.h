//===- ExpandKernels.h - kernels to vector loops ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_CONVERSION_EXPANDKERNELS_H
#define NAX_CONVERSION_EXPANDKERNELS_H

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Pass/Pass.h"

#include <string>

namespace nax {

/// The bytes of scratch that a nax.kernel operation needs: a function of its
/// static sizes, enough for every CPU level, 0 where it takes no scratch.
int64_t kernelScratchBytes(mlir::Operation *op);

/// The same for each row of a dot, whose rows are known when it is called:
/// those that its panels meet as pairs of bf16.
int64_t dotScratchPerRow(kernel::DotOp op);

/// Whether the epilogue of a dot on a CPU may have this operation: on vectors
/// it is instructions, no call.
bool runsOnVectors(mlir::Operation *op);

#define GEN_PASS_DECL
#include "nax/Conversion/ExpandKernels.h.inc"

#define GEN_PASS_REGISTRATION
#include "nax/Conversion/ExpandKernels.h.inc"

} // namespace nax

#endif // NAX_CONVERSION_EXPANDKERNELS_H
