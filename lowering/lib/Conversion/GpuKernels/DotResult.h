//===- DotResult.h - sums of a tile on their way to memory ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Private to this folder. Sums of one thread of a dot lie scattered over the
// tile. They go through shared memory, so that each thread gets chunks of
// neighbouring columns that fill 16 bytes of the result, neighbouring threads
// neighbouring chunks. The epilogue is done on such a chunk, and what it reads
// beside the sums is read in the same pieces.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_GPUKERNELS_DOTRESULT_H
#define NAX_LIB_CONVERSION_GPUKERNELS_DOTRESULT_H

#include "Dot.h"

namespace nax {

/// How a tile's sums, which are f32, lie in shared memory.
struct SumTile {
  int64_t rows, columns;
  /// Neighbouring threads read eight columns each, and these as twice four: the
  /// first fours lie in one half of a row, the second fours in the other.
  bool inHalves;
  int64_t pitch; ///< of rows, in sums

  SumTile(const DotShape &shape, const DotTile &tile, int64_t chunkColumns);

  int64_t bytes() const { return rows * pitch * 4; }
  mlir::Value at(GpuBuilder &b, mlir::Value base, mlir::Value row,
                 mlir::Value column) const;
  /// From the place of a sum to that of one further on; `columns` is a multiple
  /// of 8.
  int64_t bytesOn(int64_t rows, int64_t columns) const {
    return 4 * (rows * pitch + (inHalves ? columns / 2 : columns));
  }
  /// The `count` sums from `column` on, a multiple of `count`, in one chunk.
  Values load(GpuBuilder &b, mlir::Value base, mlir::Value row,
              mlir::Value column, int64_t count) const;

private:
  /// From the first four of eight columns to the second.
  int64_t halfPitch() const { return columns / 2 + 4; }
};

/// The share of one thread in the chunks of a tile: one column of chunks, and
/// of it each row after `rowStep` rows.
class DotResult {
public:
  DotResult(GpuBuilder &b, const DotShape &shape, const DotTile &tile,
            llvm::ArrayRef<GlobalView> views, const DotEpilogue &epilogue,
            int64_t threads);

  const SumTile &sumTile() const { return tileOfSums; }
  /// Whether a thread's share is small enough to be loaded before the products.
  bool isShort() const { return rowsOfThread <= 2; }

  /// `thread` of those that share a tile that begins in this row and column.
  void place(mlir::Value thread, mlir::Value firstRow, mlir::Value firstColumn);
  /// Begins with loads of what the epilogue reads, as far as they are worth
  /// waiting for while something else is done.
  void loadEarly();
  /// Writes the sums that lie at `base`: those of `slices` tiles, the one
  /// `distance` bytes behind the other, are added in their order. What must be
  /// done before the first is read, `ready` does.
  void store(mlir::Value base, int64_t slices, int64_t distance,
             llvm::function_ref<void()> ready);

private:
  using Pieces = Values; ///< the vectors or numbers that make one chunk
  /// Of each row that is loaded at once, the chunks of extras of rank 2.
  using Rows = llvm::SmallVector<llvm::SmallVector<Pieces>>;

  mlir::Value thereAt(mlir::Value row);
  Pieces loadExtra(const GlobalView &view, mlir::Value row,
                   mlir::Value condition);
  llvm::SmallVector<Pieces> loadExtras(int64_t rank, mlir::Value row);
  Rows loadRows(mlir::Value row);
  void storeChunk(mlir::Value row, Values sums, llvm::ArrayRef<Pieces> ofRow);
  void write(Values elements, mlir::Value to);

  GpuBuilder &b;
  const GlobalView &c;
  llvm::ArrayRef<GlobalView> extras;
  const DotEpilogue &epilogue;
  int64_t n;
  bool endsInside; ///< the last block's tiles go past the last column
  mlir::Value numRows;
  int64_t width; ///< columns of a chunk
  SumTile tileOfSums;
  int64_t chunksOfRow, rowStep, rowsOfThread;

  mlir::Value firstRow, firstColumn; ///< of the tile
  mlir::Value row, column; ///< of the thread's first chunk, in the tile
  mlir::Value rowsHere;    ///< of the tile, i32
  mlir::Value columnThere; ///< i1, or null: they all are there
  bool hasLoaded = false;
  llvm::SmallVector<Pieces> ofColumns; ///< of each extra of rank 1
  Rows ofFirstRows;
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_GPUKERNELS_DOTRESULT_H
