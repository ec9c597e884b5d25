//===- AttentionEmitter.h - loops that both attention kernels share -*- C++ -*//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Queries stand in lanes: a block of them is transposed once, a key's component
// is broadcast, and scores, maxima and sums of sixteen queries are vectors; no
// sum runs across lanes. Keys are taken in tiles that begin at multiples of
// one number, whatever the mask and the sizes are, so that the arithmetic of a
// query follows from its own allowed keys alone.
//
// Scores are kept times log2(e): the softmax is made of powers of two. -inf is
// the score of a blocked key, whose weight is then exactly 0. Maxima begin at
// the lowest finite number, so that -inf minus a maximum never is a NaN.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONEMITTER_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONEMITTER_H

#include "KernelBuilder.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/DenseMap.h"

namespace nax {

/// How a level's registers are used.
struct AttentionTile {
  int64_t queryVectors; ///< of 16 queries, in a block
  int64_t keys;         ///< whose scores are made at once
  int64_t components;   ///< of the values that are made at once
  int64_t blockKeys;    ///< keys of one step of the softmax

  int64_t queries() const { return queryVectors * kLanes; }
  /// Rows of a tile in scratch: the last group of keys may stick out.
  int64_t rows() const { return blockKeys + keys - 1; }

  static AttentionTile get(const CpuTarget &cpu) {
    if (cpu.level >= 4)
      return {2, 8, 8, 128};
    return {1, 6, 6, 96};
  }
};

/// What the two operations say, in one form.
struct AttentionSpec {
  mlir::AffineMap queryMap, keyMap, valueMap, outMap;
  llvm::SmallVector<mlir::AffineMap> extraMaps;
  llvm::SmallVector<mlir::Type> extraElements;
  unsigned numBatch;
  double scale;
  std::optional<double> cap;
  std::optional<int64_t> bias, alibi;
  bool causal;
  mlir::ArrayAttr mask;        ///< null: everything is allowed
  int64_t components;          ///< of queries and keys
  int64_t valueComponents = 0; ///< 0: weights are asked for

  static AttentionSpec get(kernel::AttentionOp op);
  static AttentionSpec get(kernel::AttentionWeightsOp op);

  bool dependsOnQuery(int64_t extra) const {
    return extraMaps[extra].isFunctionOfDim(numBatch);
  }
  /// The numbers of the extras that the mask has under this name.
  llvm::SmallVector<int64_t>
  extrasOf(llvm::ArrayRef<llvm::StringRef> names) const;
};

/// Where things are in the scratch of one chunk, in bytes.
struct AttentionScratch {
  int64_t queries, scores, outputs, maxima, sums, bytes = 0;
  int64_t bias = -1;
  llvm::SmallDenseMap<int64_t, int64_t> truths, documents; ///< by extra

  AttentionScratch(const AttentionSpec &spec, const AttentionTile &tile);
};

/// For a block of queries: outside of [from, to) no key is allowed to any of
/// them; inside of [fullFrom, fullTo) all keys are to all of them.
struct KeyBounds {
  mlir::Value from, to, fullFrom, fullTo;
};

class AttentionEmitter {
public:
  AttentionEmitter(KernelBuilder &b, const AttentionSpec &spec,
                   const AttentionTile &tile, mlir::Value q, mlir::Value k,
                   mlir::Value v, mlir::Value out, mlir::ValueRange extras,
                   mlir::Value scratch);

  /// Runs `body` for each block of queries, in chunks, with all below set up.
  void forEachBlock(llvm::function_ref<void()> body);

  // --- AttentionMask.cpp
  KeyBounds keyBounds();
  /// Puts what the bias and the masks say about the keys [from, to) of a tile
  /// where lanes can be loaded.
  void stageExtras(mlir::Value tileStart, mlir::Value from, mlir::Value to,
                   bool full);

  // --- AttentionScores.cpp
  /// Runs `body(tile start, from, to, full)` for each tile that has keys; it is
  /// emitted twice, for tiles that are open to all and for others.
  void forEachTile(
      const KeyBounds &bounds,
      llvm::function_ref<void(mlir::Value, mlir::Value, mlir::Value, bool)>
          body);
  /// Queries of the block, transposed and scaled, to scratch.
  void loadQueries();
  /// Scores of a tile to scratch; returns the maxima of these and `maxima`.
  Values scoreTile(mlir::Value tileStart, mlir::Value from, mlir::Value to,
                   bool full, mlir::ValueRange maxima);
  /// Scores to weights below `maxima`, in scratch; returns their sums.
  Values weighTile(mlir::Value tileStart, mlir::Value from, mlir::Value to,
                   bool full, mlir::ValueRange maxima);

  llvm::SmallVector<mlir::Value> at(mlir::AffineMap map, mlir::Value t,
                                    mlir::Value s = {}, mlir::Value d = {},
                                    mlir::Value e = {});
  /// Whether dimension `dim` of the maps is the last of `memref` and adjacent.
  bool isAdjacent(mlir::Value memref, mlir::AffineMap map, unsigned dim);
  Values loadRow(mlir::Value memref, mlir::Value row);
  void storeRow(mlir::ValueRange vectors, mlir::Value memref, mlir::Value row);
  Values splats(double value) {
    return Values(tile.queryVectors, b.splat(value));
  }
  mlir::Value query(mlir::Value lane) {
    return b.min(b.add(firstQuery, lane), b.sub(numQueries, b.index(1)));
  }

  KernelBuilder &b;
  const AttentionSpec &spec;
  AttentionTile tile;
  mlir::Value q, k, v, out;
  Values extras;
  mlir::Value numQueries, numKeys;

  // Of the current block.
  Values batch;
  mlir::Value firstQuery, endQuery;
  Values queryLanes; ///< i32, the last query again past the end
  mlir::Value queries, scores, outputs, maxima, sums; ///< scratch

private:
  void bindScratch(mlir::Value chunk);
  void beginBlock(mlir::Value task, mlir::Value blocks);
  mlir::Value scored(mlir::Value dot, mlir::Value s, mlir::Value row,
                     int64_t vector);
  KeyBounds boundsOf(mlir::Attribute tree);
  KeyBounds complementOf(const KeyBounds &x);
  mlir::Value allowed(mlir::Attribute tree, mlir::Value s, mlir::Value row,
                      int64_t vector);
  mlir::Value allowed(mlir::Value s, mlir::Value row, int64_t vector);
  void stage(int64_t extra, mlir::Value to, mlir::Value tileStart,
             mlir::Value from, mlir::Value end);

  mlir::Value scratchBytes;
  AttentionScratch layout;
  mlir::Value biasTile, negatedSlope;
  llvm::SmallDenseMap<int64_t, mlir::Value> truthTiles, documentLanes, limits;
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONEMITTER_H
