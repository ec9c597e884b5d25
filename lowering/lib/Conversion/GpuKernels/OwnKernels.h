//===- OwnKernels.h - kernels of loops and norms ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Private to this folder.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_GPUKERNELS_OWNKERNELS_H
#define NAX_LIB_CONVERSION_GPUKERNELS_OWNKERNELS_H

#include "GpuKernels.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace nax {

// As those of GpuKernels.h.
mlir::LogicalResult
launchElementwise(mlir::ImplicitLocOpBuilder &host, mlir::linalg::LinalgOp op,
                  KernelModule &module,
                  llvm::SmallVectorImpl<KernelLaunch> &launches);
mlir::LogicalResult
launchReduction(mlir::ImplicitLocOpBuilder &host, mlir::linalg::LinalgOp op,
                KernelModule &module,
                llvm::SmallVectorImpl<KernelLaunch> &launches);
mlir::LogicalResult
launchParallel(mlir::ImplicitLocOpBuilder &host, mlir::scf::ParallelOp op,
               KernelModule &module,
               llvm::SmallVectorImpl<KernelLaunch> &launches);
mlir::LogicalResult launchNorm(mlir::ImplicitLocOpBuilder &host,
                               kernel::NormOp op, KernelModule &module,
                               llvm::SmallVectorImpl<KernelLaunch> &launches);

/// On the host: blocks for `items` (of type index), `each` of them in one block
/// as long as there are no more than `most`.
mlir::Value blocksFor(mlir::ImplicitLocOpBuilder &host, mlir::Value items,
                      int64_t each, int64_t most);

/// In a kernel of one dimension: `body` of the numbers below `count` (i64),
/// each in one thread of the grid.
void forEachOfGrid(GpuBuilder &b, mlir::Value count, int64_t threads,
                   llvm::function_ref<void(mlir::Value)> body);

/// Makes functions of f64 (exp, log, sin, cos, tanh, erf) arithmetic and roots
/// instructions: there is no library on the device. Other functions of f32 are
/// arithmetic before.
void expandMath(mlir::gpu::GPUModuleOp module);

/// The threads that share a row: a warp, or a whole block for long rows. Which
/// of them follows from static sizes, so a row has one order of sums.
struct RowLanes {
  int64_t lanes = kWarp;

  /// `elements` of a row, or ShapedType::kDynamic.
  static RowLanes of(int64_t elements);
  int64_t rowsOfBlock() const { return lanes == kWarp ? 4 : 1; }
  int64_t threads() const { return lanes * rowsOfBlock(); }
  /// For `numbers` that are combined at once.
  int64_t sharedBytes(int64_t numbers) const;

  /// Which row of the grid, i64, and which lane of it, i32.
  mlir::Value row(GpuBuilder &b) const;
  mlir::Value lane(GpuBuilder &b) const;
  /// Runs `body` where the row is below `count`, i64.
  void forRow(GpuBuilder &b, mlir::Value count,
              llvm::function_ref<void(mlir::Value)> body) const;
  /// Pairs of lanes, then of pairs, and so on; each lane gets the result.
  Values combine(GpuBuilder &b, Values numbers,
                 llvm::function_ref<Values(mlir::ValueRange, mlir::ValueRange)>
                     both) const;
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_GPUKERNELS_OWNKERNELS_H
