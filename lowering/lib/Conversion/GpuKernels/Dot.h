//===- Dot.h - the shape of a dot and of its tiles --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_GPUKERNELS_DOT_H
#define NAX_LIB_CONVERSION_GPUKERNELS_DOT_H

#include "GpuKernels.h"

namespace nax {

class BodyCloner;

/// Bytes of k in one stage: one row of banks.
inline constexpr int64_t kStageBytes = 128;
/// Rows and columns of one warp of the kernel for few rows.
inline constexpr int64_t kFewRows = 16, kFewColumns = 16;

struct DotShape {
  int64_t n, k;
  mlir::Type element, factor, result; ///< of rows and matrix; of products

  int64_t elementBytes() const { return element.getIntOrFloatBitWidth() / 8; }
  int64_t stageColumns() const { return kStageBytes / elementBytes(); }
  int64_t stages() const { return llvm::divideCeil(k, stageColumns()); }
  /// Few columns are too few warps to read the matrix at full speed.
  int64_t slices() const { return n >= 4096 || stages() < 8 ? 1 : 4; }
  int64_t stagesOfSlice() const { return llvm::divideCeil(stages(), slices()); }
  bool usesMma() const { return !factor.isF32(); }
};

struct DotTile {
  int64_t rows, columns;         ///< of a block; of a warp when `few`
  int64_t rowWarps, columnWarps; ///< that the tile is cut into
  int64_t depth;                 ///< stages in flight and in use
  bool few;
  /// For which one multiprocessor must have registers at once; 0: as many as
  /// the assembler likes, which may keep a few registers in memory for one
  /// more.
  int64_t blocksOfProcessor = 0;

  int64_t warps() const { return rowWarps * columnWarps; }
  /// Warps of the kernel for few rows have a tile for each slice.
  int64_t columnsOfBlock(const DotShape &shape) const {
    return few ? columns * (warps() / shape.slices()) : columns;
  }
  int64_t stageBytes() const { return (rows + columns) * kStageBytes; }

  static DotTile many(const DotShape &shape, bool large) {
    if (!shape.usesMma())
      return {64, 64, 8, 1, 3, false};
    if (large)
      return {128, 128, 2, 4, 3, false};
    // As many as compute capability 9.0 has shared memory for; with slices, two
    // sets of sums are too many registers for that.
    return {64, 64, 2, 2, 3, false, shape.slices() == 1 ? 4 : 0};
  }
  static DotTile fewRows() { return {kFewRows, kFewColumns, 1, 4, 4, true, 1}; }
  int64_t sharedBytes() const {
    return depth * stageBytes() * (few ? warps() : 1);
  }
};

/// What is done to each sum: `body` gets it and an element of each extra.
struct DotEpilogue {
  mlir::Block *body = nullptr; ///< null: nothing
  BodyCloner *bodies = nullptr;
};

/// The kernel of one tile; `views` are the rows, the matrix, the result and the
/// extras of the epilogue.
void emitDot(GpuBuilder &b, const DotShape &shape, const DotTile &tile,
             llvm::ArrayRef<GlobalView> views, const DotEpilogue &epilogue);

} // namespace nax

#endif // NAX_LIB_CONVERSION_GPUKERNELS_DOT_H
