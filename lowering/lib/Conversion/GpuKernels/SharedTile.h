//===- SharedTile.h - tiles of rows in shared memory ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A row is a number of chunks of 16 bytes and begins at a multiple of 128
// bytes, the width of all banks. Chunk c of row r lies at place c ^ (r & 7), so
// that the same chunk of eight rows, which is what ldmatrix reads at once, lies
// in all banks.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_GPUKERNELS_SHAREDTILE_H
#define NAX_LIB_CONVERSION_GPUKERNELS_SHAREDTILE_H

#include "GpuBuilder.h"

namespace nax {

/// How rows of one length lie in shared memory.
struct SharedTile {
  mlir::Type element;
  int64_t chunks; ///< in a row
  int64_t stride; ///< of rows, bytes

  /// `columns` fill whole chunks.
  SharedTile(mlir::Type element, int64_t columns);

  int64_t elementBytes() const { return element.getIntOrFloatBitWidth() / 8; }
  int64_t elementsOfChunk() const { return kChunk / elementBytes(); }
  int64_t bytes(int64_t rows) const { return rows * stride; }
  /// Chunk `chunk + chunksOn` of row `row + rowsOn`: what is known while
  /// compiling becomes the offset of an instruction instead of a register.
  /// `rowsOn` is a multiple of 8, and `chunk + chunksOn % 8` is below 8.
  mlir::Value chunkAt(GpuBuilder &b, mlir::Value base, mlir::Value row,
                      mlir::Value chunk, int64_t rowsOn = 0,
                      int64_t chunksOn = 0) const;
  /// Column `column + columnsOn` of row `row + rowsOn`, the first or in the
  /// middle of a chunk. `columnsOn` is a multiple of a chunk's elements,
  /// `rowsOn` of 8.
  mlir::Value at(GpuBuilder &b, mlir::Value base, mlir::Value row,
                 mlir::Value column, int64_t columnsOn = 0,
                 int64_t rowsOn = 0) const;
};

/// Where a row that is copied begins, and whether it is there at all (i1 or
/// null); one that is not becomes zeros and is not read.
struct SourceRow {
  mlir::Value pointer, valid;
};

/// Columns of the rows that a copy takes.
struct SourceColumns {
  mlir::Value first;    ///< i32
  int64_t count;        ///< of a row; columns from this one on become zeros
  mlir::Value stride;   ///< i64, in elements
  int64_t alignedBytes; ///< of each row's first column and of `first`
};

/// The share of one thread in the copy of a tile. Each chunk is copied by
/// cp.async where the alignment allows it, and committed by the caller.
class TileCopy {
public:
  TileCopy(GpuBuilder &b, const SharedTile &tile, int64_t rows,
           mlir::Value thread, int64_t threads);

  void copy(mlir::Value base,
            llvm::function_ref<SourceRow(mlir::Value row)> source,
            const SourceColumns &columns);

private:
  void copyChunk(mlir::Value to, const SourceRow &row, mlir::Value column,
                 const SourceColumns &columns, bool checksColumns);

  struct Share {
    mlir::Value row, chunk, valid; ///< valid is null where it is always true
  };
  /// The thread's chunk of those from number `first` on, one of each thread;
  /// with `mayEnd` the tile may have fewer.
  Share shareAt(mlir::Value first, bool mayEnd) const;

  GpuBuilder &b;
  const SharedTile &tile;
  mlir::Value thread;
  int64_t threads, total;          ///< of the block; chunks of the tile
  llvm::SmallVector<Share> shares; ///< none where a loop makes them
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_GPUKERNELS_SHAREDTILE_H
