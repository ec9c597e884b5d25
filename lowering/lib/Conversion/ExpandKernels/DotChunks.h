//===- DotChunks.h - how the work of a dot is split -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_DOTCHUNKS_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_DOTCHUNKS_H

#include "KernelBuilder.h"

namespace nax {

/// Sizes of a dot, and how its tiles take them.
struct DotShape {
  mlir::Value n, k;
  int64_t rest;         ///< columns of the last panel, 0 where it is full
  int64_t width;        ///< columns of a panel
  int64_t tileRows;     ///< rows of a whole tile
  mlir::Value rowBytes; ///< of a row, as tiles read it
  int64_t blockBytes;   ///< of a block of rows, about
  int64_t leastTiles;   ///< of one

  /// Most words of rows that a tile reads before the next one: more would drive
  /// the panel out of the L2 cache.
  static constexpr int64_t kDepth = 1024;
  /// Rows of a chunk that has more words in a row than those.
  int64_t mostRows() const;

  /// Of one operation whose panels have `width` columns, in a function whose
  /// arguments are `given`. Tiles have as many accumulators as the level's own.
  static DotShape get(KernelBuilder &b, kernel::DotOp op,
                      kernel::DotOp::Adaptor given, int64_t width,
                      const CpuTarget &cpu);
};

/// The columns of one panel that the result has.
struct PanelColumns {
  int64_t vectors = 0, lanesOfLast = 0;

  int64_t lanes(int64_t vector) const {
    return vector + 1 == vectors ? lanesOfLast : kLanes;
  }
};

/// Rows `fromRow` to `toRow` times panels `firstPanel` to `endPanel`.
struct DotChunk {
  mlir::Value fromRow, toRow, firstPanel, endPanel;
};

/// Runs `body` for each chunk of `m` rows times all panels, through the
/// runtime.
void emitDotChunks(KernelBuilder &b, mlir::Value m, const DotShape &shape,
                   llvm::function_ref<void(const DotChunk &)> body);

/// Within a chunk: `body` takes a panel, the column of the result at which it
/// begins, and which columns of it there are. It is called twice where the last
/// panel is not full.
void forEachPanel(
    KernelBuilder &b, const DotChunk &chunk, const DotShape &shape,
    llvm::function_ref<void(mlir::Value, mlir::Value, PanelColumns)> body);

/// Tiles of rows `from` to `to`: whole ones, then what is left by smaller and
/// smaller ones, so that nothing out of bounds is touched. `tile` takes how
/// many rows it has, and the first.
void forEachTile(KernelBuilder &b, mlir::Value from, mlir::Value to,
                 int64_t tileRows,
                 llvm::function_ref<void(int64_t, mlir::Value)> tile);

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_DOTCHUNKS_H
