//===- AttentionBlocks.h - attention for blocks of queries ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Queries stand in lanes: a block of them is transposed once, a key's component
// is broadcast, and scores, maxima and sums of sixteen queries are vectors; no
// sum runs across lanes.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONBLOCKS_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONBLOCKS_H

#include "AttentionEmitter.h"

namespace nax {

/// How a level's registers are used.
struct BlockTile {
  int64_t queryVectors; ///< of 16 queries, in a block
  int64_t keys;         ///< whose scores are made at once
  int64_t components;   ///< of the values that are made at once
  int64_t blockKeys;    ///< keys of one step of the softmax
  /// Keys whose weights are made in one turn: their polynomials overlap.
  static constexpr int64_t weighedKeys = 4;

  int64_t queries() const { return queryVectors * kLanes; }
  /// Rows of a tile in scratch: the last group of keys may stick out.
  int64_t rows() const { return blockKeys + keys - 1; }

  static BlockTile get(const CpuTarget &cpu) {
    if (cpu.vectors >= 32)
      return {2, 8, 8, 128};
    if (cpu.vectors >= 8)
      return {1, 6, 6, 96};
    return {1, 2, 2, 96};
  }
};

/// Keys [from, to) of a tile whose rows in scratch begin at the key `start`.
/// Those before `middle` are open to all queries of the block, whole groups of
/// them; of others it has to be asked.
struct TileKeys {
  mlir::Value start, from, middle, to;

  mlir::Value row(KernelBuilder &b, mlir::Value key) const {
    return b.sub(key, start);
  }
};

/// Where things are in the part of the scratch that a chunk takes, in bytes.
struct BlockScratch {
  int64_t queries, scores, outputs, maxima, sums, bytes = 0;
  int64_t bias = -1;
  /// By extra. With a cache, `keys` has what is read at each key of a tile.
  llvm::SmallDenseMap<int64_t, int64_t> truths, documents, keys;

  BlockScratch(const AttentionSpec &spec, const BlockTile &tile);
};

class BlockEmitter : public AttentionEmitter {
public:
  BlockEmitter(KernelBuilder &b, const AttentionSpec &spec,
               const AttentionOperands &operands, const CpuTarget &cpu)
      : AttentionEmitter(b, spec, operands), tile(BlockTile::get(cpu)),
        layout(spec, tile) {}

protected:
  /// Runs `body` for each block of queries, in chunks, with all below set up;
  /// with a cache, for rows of more than one query.
  void forEachBlock(llvm::function_ref<void()> body);
  KeyBounds blockBounds();

  // --- AttentionScores.cpp
  /// Runs `body` for each tile that has keys.
  void forEachTile(const KeyBounds &bounds,
                   llvm::function_ref<void(const TileKeys &)> body);
  /// Queries of the block, transposed and scaled, to scratch.
  void loadQueries();
  /// Scores of a tile to scratch; returns the maxima of these and `maxima`.
  Values scoreTile(const TileKeys &keys, mlir::ValueRange maxima);
  /// Scores to weights below `maxima`, in scratch; returns their sums.
  Values weighTile(const TileKeys &keys, mlir::ValueRange maxima);

  Values loadRow(mlir::Value memref, mlir::Value row);
  void storeRow(mlir::ValueRange vectors, mlir::Value memref, mlir::Value row);
  Values splats(double value) {
    return Values(tile.queryVectors, b.splat(value));
  }

  BlockTile tile;
  mlir::Value queries, scores, outputs, maxima, sums; ///< scratch

private:
  mlir::Value query(mlir::Value lane) {
    return b.min(b.add(firstQuery, lane), b.sub(numQueries, b.index(1)));
  }
  /// Runs `body` with a part of the scratch that no other chunk has meanwhile.
  void withScratch(llvm::function_ref<void()> body);
  void bindScratch(mlir::Value slot);
  void beginBlock(mlir::Value block);
  /// Puts what the bias and the masks say about the keys of a tile where lanes
  /// can be loaded.
  void stageExtras(const TileKeys &keys);
  void stage(int64_t extra, mlir::Value to, mlir::Value tileStart,
             mlir::Value from, mlir::Value end);
  /// What the extra says about the key `s`, which is row `row` of the tile.
  mlir::Value ofKey(int64_t extra, mlir::Value s, mlir::Value row);
  Values scoreKeys(const KeyRun &run, mlir::Value tileStart, bool full,
                   mlir::ValueRange maxima);
  /// Scores of a row to weights; adds them to `sum`.
  void weighRow(mlir::Value row, mlir::ValueRange maxima, Values &sum);
  mlir::Value scoreOf(mlir::Value dots, mlir::Value s, mlir::Value row,
                      int64_t vector, bool full);
  /// Which lanes may read the key; null: all of them.
  mlir::Value openTo(const Pairs &pairs);

  BlockScratch layout;
  Values queryLanes; ///< positions, i32, the last query again past the end
  mlir::Value biasTile, slope;
  llvm::SmallDenseMap<int64_t, mlir::Value> truthTiles, documentLanes, keyRows;
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONBLOCKS_H
