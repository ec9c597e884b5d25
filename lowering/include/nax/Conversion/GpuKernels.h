//===- GpuKernels.h - operations on memory to launches ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_CONVERSION_GPUKERNELS_H
#define NAX_CONVERSION_GPUKERNELS_H

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Pass/Pass.h"

namespace nax {

/// The scratch of attention on a GPU: as many bytes for each index of these
/// batch dimensions together; none without a cache.
struct GpuScratch {
  int64_t bytes;
  llvm::SmallVector<unsigned> batchDims;

  static GpuScratch get(kernel::AttentionOp op);
};

#define GEN_PASS_DECL
#include "nax/Conversion/GpuKernels.h.inc"

#define GEN_PASS_REGISTRATION
#include "nax/Conversion/GpuKernels.h.inc"

} // namespace nax

#endif // NAX_CONVERSION_GPUKERNELS_H
