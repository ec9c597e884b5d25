//===- HalfBits.h - values of 16 bits without their type --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_HALFBITS_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_HALFBITS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace nax {

/// Makes i16 of each value and number of `half` in a module of the LLVM
/// dialect; only intrinsics still take them as such. Another operation that
/// computes with them is malformed from then on, and the verifier says so.
void replaceByBits(mlir::ModuleOp module, mlir::FloatType half);

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_HALFBITS_H
