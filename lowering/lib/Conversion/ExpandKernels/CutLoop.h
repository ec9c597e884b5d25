//===- CutLoop.h - chunks of a loop over elements ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_CUTLOOP_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_CUTLOOP_H

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace nax {

/// Whether chunks of rows of the loop may run at once: each element is written
/// by one row, which alone reads it.
bool canCut(mlir::linalg::GenericOp op);

/// Makes a nax.parallel of it where `b` stands. How many chunks there are
/// follows from sizes.
ParallelOp cutLoop(mlir::OpBuilder &b, mlir::linalg::GenericOp op);

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_CUTLOOP_H
