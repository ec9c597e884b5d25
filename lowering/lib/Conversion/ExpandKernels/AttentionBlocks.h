//===- AttentionBlocks.h - attention for blocks of queries ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Queries stand in lanes: a block of them is transposed once, a key's component
// is broadcast, and scores, maxima and sums of sixteen queries are vectors; no
// sum runs across lanes.
//
// Blocks of queries that have the same keys make a unit. A tile of keys, and
// of their values, is copied once for a unit, into a few KB that stay in the
// nearest cache: where they come from, rows of one head are as far apart as
// those of all heads are long. What is known of a block so far is in scratch
// until the next tile.
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
  /// Keys whose scores are made at once for so many vectors of queries.
  int64_t keysFor(int64_t vectors) const {
    return keys * queryVectors / vectors;
  }
  /// Rows of a tile in scratch: the last group of keys may stick out.
  int64_t rows() const { return blockKeys + keysFor(1) - 1; }

  int64_t groups() const { return blockKeys / keys; }

  static BlockTile get(const CpuTarget &cpu) {
    if (cpu.vectors >= 32)
      return {2, 8, 8, 48};
    if (cpu.vectors >= 8)
      return {1, 6, 6, 96};
    return {1, 2, 2, 96};
  }
};

/// Keys [from, to) of a tile, and the vectors of queries from number `vector`
/// on, which are all that may read them. If `open`, all queries may, and these
/// are whole groups of keys; else each has to be asked.
struct TilePart {
  mlir::Value from, to;
  int64_t vector;
  bool open;
};

/// Keys of a tile whose rows in scratch begin at the key `start`.
struct TileKeys {
  mlir::Value start, from, to;
  mlir::Value isFirst, isLast; ///< of the tiles with keys for the block
  llvm::SmallVector<TilePart, 3> parts;

  mlir::Value row(KernelBuilder &b, mlir::Value key) const {
    return b.sub(key, start);
  }
};

/// Where things are in the part of the scratch that a chunk takes, in bytes.
struct BlockScratch {
  /// Of a tile.
  int64_t keys, values, scores, bytes = 0;
  int64_t keyRow, valueRow; ///< numbers in one, whole vectors
  int64_t bias = -1;
  /// By extra. With a cache, `keyExtras` has what is read at each key.
  llvm::SmallDenseMap<int64_t, int64_t> truths, keyExtras;
  /// Of each block of a unit; from the beginning of its state, but for `states`
  /// itself, where the first one begins.
  int64_t states, queries, outputs, maxima, sums, stateBytes = 0;
  llvm::SmallDenseMap<int64_t, int64_t> documents;
  int64_t blocks; ///< at most, of a unit

  BlockScratch(const AttentionSpec &spec, const BlockTile &tile);
};

class BlockEmitter : public AttentionEmitter {
public:
  BlockEmitter(KernelBuilder &b, const AttentionSpec &spec,
               const AttentionOperands &operands, const CpuTarget &cpu)
      : AttentionEmitter(b, spec, operands), tile(BlockTile::get(cpu)),
        layout(spec, tile) {}

protected:
  /// Runs `body` for each unit, in chunks; with a cache, for rows of more than
  /// one query.
  void forEachUnit(llvm::function_ref<void()> body);
  /// Runs `body` for each block of the unit, with all below set up.
  void forEachBlock(llvm::function_ref<void()> body);
  /// Runs `body` for the unit's tiles, and for the blocks that may read some
  /// key of it. With `begins`, a block's first tile finds its queries, and
  /// maxima, sums and outputs of no key.
  void forEachTile(bool begins,
                   llvm::function_ref<void(const TileKeys &)> body);
  KeyBounds blockBounds();

  // --- AttentionScores.cpp
  /// Scores of a tile to scratch; returns the maxima of these and `maxima`.
  Values scoreTile(const TileKeys &keys, mlir::ValueRange maxima);
  /// Scores to weights below `maxima`, in scratch; returns their sums.
  Values weighTile(const TileKeys &keys, mlir::ValueRange maxima);

  /// The vectors of a row from number `vector` on.
  Values loadRow(mlir::Value memref, mlir::Value row, int64_t vector = 0);
  void storeRow(mlir::ValueRange vectors, mlir::Value memref, mlir::Value row,
                int64_t vector = 0);
  Values splats(double value) {
    return Values(tile.queryVectors, b.splat(value));
  }

  BlockTile tile;
  BlockScratch layout;
  mlir::Value scores; ///< of a tile, in scratch
  /// Values of a tile by key and component, and the same memory by key, panel
  /// and component of the panel: what is a number for a loop is then part of an
  /// address.
  mlir::Value values, panels;
  mlir::Value queries, outputs, maxima, sums; ///< of a block, in scratch

private:
  mlir::Value query(mlir::Value lane) {
    return b.min(b.add(firstQuery, lane), b.sub(numQueries, b.index(1)));
  }
  mlir::Value viewAt(mlir::Value offset, llvm::ArrayRef<int64_t> shape,
                     mlir::Type element);
  /// Runs `body` with a part of the scratch that no other chunk has meanwhile.
  void withScratch(llvm::function_ref<void()> body);
  void bindTile();
  void bindState(mlir::Value block);
  void beginUnit();
  void beginState();
  void beginBlock(mlir::Value number);
  TileKeys tileOf(const KeyBounds &bounds, mlir::Value start);

  // --- AttentionStage.cpp
  /// Queries of the block, transposed and scaled, to scratch.
  void stageQueries();
  /// Keys [from, to) of a tile, or their values, to rows of scratch. A key's
  /// `count` numbers are at `where(number, component)`.
  void stageRows(mlir::Value newOnes, mlir::Value cache, bool isAdjacent,
                 int64_t count,
                 llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                                   mlir::Value)>
                     where,
                 mlir::Value rows, mlir::Value tileStart, mlir::Value from,
                 mlir::Value to);
  void stageKeys(mlir::Value tileStart, mlir::Value from, mlir::Value to);
  /// Asks for what is soon needed from far away, a share of it at each group of
  /// keys: keys and values of the next tile, of which all blocks of a unit
  /// together ask for all; queries of the next block, where this one's have
  /// just been loaded; the place of its results, where they are next.
  void fetchAhead(mlir::Value group, const TileKeys &keys);
  void fetchRows(mlir::Value memref, int64_t count, mlir::Value first,
                 mlir::Value rows,
                 llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                                   mlir::Value)>
                     where);
  /// Puts what the bias and the masks say about the keys of a tile where lanes
  /// can be loaded.
  void stageExtras(const TileKeys &keys);
  void stageExtra(int64_t extra, mlir::Value to, mlir::Value tileStart,
                  mlir::Value from, mlir::Value end);
  /// What the extra says about the key `s`, which is row `row` of the tile.
  mlir::Value ofKey(int64_t extra, mlir::Value s, mlir::Value row);

  Values scoreKeys(const TilePart &part, const TileKeys &tileKeys,
                   mlir::ValueRange maxima);
  /// Scores of a row to weights; adds them to `sum`.
  void weighRow(mlir::Value row, int64_t vector, mlir::ValueRange maxima,
                Values &sum);
  mlir::Value scoreOf(mlir::Value dots, mlir::Value s, mlir::Value row,
                      int64_t vector, bool open);
  /// Which lanes may read the key; null: all of them.
  mlir::Value openTo(const Pairs &pairs);

  mlir::Value scratchAt;            ///< of the chunk, in bytes
  mlir::Value firstBlock, endBlock; ///< of the unit
  mlir::Value block;
  mlir::Value fetchedKeys;      ///< of the next tile, at a group of keys
  mlir::Value firstKey, endKey; ///< that one of its blocks may read
  mlir::Value keys;             ///< of a tile, in scratch
  Values queryLanes; ///< positions, i32, the last query again past the end
  mlir::Value biasTile, slope;
  llvm::SmallDenseMap<int64_t, mlir::Value> truthTiles, documentLanes, keyRows;
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONBLOCKS_H
