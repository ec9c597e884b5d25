//===- DotTiles.h - rows times pairs of bf16 on tiles -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_DOTTILES_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_DOTTILES_H

#include "Epilogue.h"

namespace nax {

/// Rounds rows [M, K] to bf16, once for all panels; words [M, pairs of K], zero
/// past K, of which `rest` numbers are left by whole runs of kPairDepth.
mlir::Value roundToBf16(KernelBuilder &b, mlir::Value rows, mlir::Value scratch,
                        int64_t rest);

/// `rows` are words [M, pairs of K or more], each two numbers of bf16; `panels`
/// [N/32, pairs of K, 32, 2]; `result` [M, N].
void emitDotTiles(KernelBuilder &b, mlir::Value rows, mlir::Value panels,
                  mlir::Value result, DotShape shape, Epilogue &epilogue);

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_DOTTILES_H
