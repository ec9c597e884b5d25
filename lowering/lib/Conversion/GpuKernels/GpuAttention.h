//===- GpuAttention.h - attention on tiles of queries and keys --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A block has the queries of a tile, 16 in each warp, and walks over tiles of
// keys; what it has summed is scaled down where a tile raises a query's maximum
// (FlashAttention-2, Dao 2023). The next tile of keys and values is copied
// while one is worked on.
//
// A lane has of each warp's tile the rows lane / 4 and lane / 4 + 8 and the
// columns 2 (lane mod 4) and the next one of every eight, as mma.sync leaves
// them; the arithmetic of f32 takes the same places.
//
// Positions are absolute, and tiles of keys begin at multiples of their size: a
// query's arithmetic follows from its own keys alone. A tile that is closed to
// a query scales it by exactly 1 and adds exactly 0.
//
// The queries of a tile are those of one head; of a row that has one query
// only, as in decoding, they are the heads that share keys, and its keys are
// cut into units, a block each (GpuAttentionOne.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_GPUKERNELS_GPUATTENTION_H
#define NAX_LIB_CONVERSION_GPUKERNELS_GPUATTENTION_H

#include "../ExpandKernels/AttentionSpec.h"
#include "../ExpandKernels/KeyBounds.h"
#include "GpuKernels.h"
#include "SharedTile.h"

#include <functional>
#include <optional>

namespace nax {

/// The sizes of the tiles, functions of types and static sizes.
struct AttentionTile {
  mlir::Type element, factor; ///< in memory; of products
  int64_t warps, keys;
  SharedTile keyTile, valueTile, weightTile;
  bool queriesInRegisters;

  static AttentionTile get(const AttentionSpec &spec, mlir::Type element,
                           mlir::Type factor, bool isOne);
  int64_t rows() const { return 16 * warps; }
  int64_t threads() const { return kWarp * warps; }
  bool usesMma() const { return !factor.isF32(); }
  int64_t components() const {
    return keyTile.chunks * keyTile.elementsOfChunk();
  }
  int64_t valueComponents() const {
    return valueTile.chunks * valueTile.elementsOfChunk();
  }

  // Shared memory: queries, two slots of keys and values each, and weights,
  // which fused multiplications pass between lanes. mma.sync seldom needs them
  // there: then they take the place of the keys, if it is large enough.
  int64_t slotBytes() const {
    return keyTile.bytes(keys) + valueTile.bytes(keys);
  }
  int64_t slotsAt() const { return keyTile.bytes(rows()); }
  bool weightsReplaceKeys() const {
    return usesMma() && weightTile.bytes(rows()) <= keyTile.bytes(keys);
  }
  int64_t weightsAt() const { return slotsAt() + 2 * slotBytes(); }
  int64_t sharedBytes() const {
    return weightsAt() + (weightsReplaceKeys() ? 0 : weightTile.bytes(rows()));
  }
};

/// The operands as the kernel sees them.
struct AttentionViews {
  GlobalView q, k, v, out; ///< no v: weights are asked for
  llvm::SmallVector<GlobalView> extras;
  std::optional<GlobalView> keyCache, valueCache, span, scratch;
  std::optional<GlobalView> cosines, sines; ///< by which queries are rotated
};

/// One of the two rows of a tile that a lane has.
struct QueryRow {
  Values batch;
  mlir::Value number;   ///< in the tile
  mlir::Value t;        ///< of the query, one that is there
  mlir::Value position; ///< of t
  mlir::Value valid;    ///< whether the row is there
  mlir::Value slope;    ///< of alibi, times -log2(e); null without
  llvm::SmallDenseMap<int64_t, mlir::Value> documents; ///< by extra
};

class GpuAttention {
public:
  GpuAttention(GpuBuilder &b, const AttentionSpec &spec,
               const AttentionTile &tile, AttentionViews views);

  /// Attention of rows with several queries, and of all rows without a cache.
  void runBlocks();
  /// The weights alone, of all rows.
  void runWeights();
  // --- GpuAttentionOne.cpp
  /// Rows with one query or none: a unit of keys in a block; their sums.
  void runUnits();
  void runCombine();

protected:
  using Predicate = GpuBuilder::Predicate;

  /// What is carried from tile to tile.
  struct State {
    Values sums;    ///< [value component / 8][row][2]
    Values maxima;  ///< of each row
    Values weights; ///< their sum over this lane's columns, of each row
  };

  // --- GpuAttentionRows.cpp
  mlir::Value extentOf(llvm::ArrayRef<unsigned> dims);
  void setBatch(Values &batch, llvm::ArrayRef<unsigned> dims,
                mlir::Value number);
  /// Start and end of the row that `batch` says.
  void beginRow();
  void placeRow(QueryRow &row);
  Values at(mlir::AffineMap map, const Values &batch, mlir::Value t,
            mlir::Value s = {}, mlir::Value d = {}, mlir::Value e = {});
  /// Where a number of key s is: among new ones or in the slots of a cache.
  mlir::Value keyPointer(const GlobalView &newOnes, const GlobalView *cache,
                         mlir::AffineMap map, unsigned keyDim,
                         const Values &batch, mlir::Value s);
  mlir::Value loadExtra(int64_t extra, const Values &batch, mlir::Value t,
                        mlir::Value s = {});
  /// As `loadExtra`, of a key that is loaded.
  mlir::Value loadKeyExtra(int64_t extra, const QueryRow &row, mlir::Value s);
  bool isAdjacent(const GlobalView &view, mlir::AffineMap map, unsigned dim);
  SourceColumns columnsOf(const GlobalView &view, const GlobalView *cache,
                          mlir::AffineMap map, unsigned dim, int64_t count);
  mlir::Value position(mlir::Value t) { return b.add(start, t); }

  // --- GpuAttentionRope.cpp
  /// Rotates the queries where they lie in shared memory, once they are there;
  /// the last group of copies may still be on its way.
  void rotateQueries();

  // --- GpuAttentionMask.cpp
  KeyBounds keyBounds(mlir::Value firstQuery, mlir::Value endQuery);
  mlir::Value allowed(mlir::Attribute tree, const QueryRow &row, mlir::Value s);
  /// Whether a query may read key s; s may be one that is not there.
  mlir::Value isOpen(const QueryRow &row, mlir::Value s);
  bool mayBlock() const { return spec.mask || spec.causal; }

  // --- GpuAttentionScores.cpp
  /// Registers with the queries of the warp, if they stay there.
  void loadQueries();
  /// Scores of the tile, [key / 8][row][2]; -inf where a key is closed. They
  /// are to be multiplied by `factor` to be powers of two.
  Values scores(mlir::Value tileStart, mlir::Value isFull);
  Values dots(mlir::Value keys);
  Values dotsMma(mlir::Value keys);
  Values dotsFma(mlir::Value keys);
  mlir::Value scored(mlir::Value dot, const QueryRow &row, mlir::Value s);
  /// From scores to weights, and `state` to their maxima.
  Values weigh(mlir::ValueRange scores, State &state);

  // --- GpuAttentionValues.cpp
  void addValues(mlir::ValueRange weights, mlir::Value keySlot,
                 mlir::Value valueSlot, mlir::Value isFull, State &state);
  llvm::SmallVector<Values> asOperands(mlir::ValueRange weights);
  Values loadValues(mlir::Value values, int64_t step, int64_t first);
  Values addValuesMma(llvm::ArrayRef<Values> weights, mlir::Value values,
                      Values sums, bool cleans);
  Values addValuesFma(mlir::Value weights, mlir::Value values, Values sums,
                      bool checks);
  void storeWeights(mlir::ValueRange weights, mlir::Value base);
  mlir::Value hasNonFinite(mlir::Value values);
  mlir::Value cleaned(mlir::Value bits);
  Values addNonFinite(mlir::Value weights, mlir::Value values, Values sums);

  // --- GpuAttentionWeights.cpp
  void storeWeightRows(mlir::Value tileStart, mlir::ValueRange weights);

  // --- GpuAttentionOne.cpp
  /// Sets the row up that is number `number`, and returns its first head's.
  mlir::Value beginOne(mlir::Value number);
  void storeState(mlir::Value head, mlir::Value unit, mlir::Value top,
                  mlir::Value sum, mlir::ValueRange sums, unsigned row);

  // --- GpuAttentionResults.cpp
  /// Components of one access: the most that are aligned and fill a row.
  int64_t resultWidth();
  mlir::Value inverted(mlir::Value sum);
  /// The results of the tile's rows that are there.
  void storeResults(const State &state);
  void shareResults(const SharedTile &shape, mlir::Value base,
                    const State &state, llvm::ArrayRef<mlir::Value> factors,
                    int64_t first, int64_t end);
  void writeResults(const SharedTile &shape, mlir::Value base, int64_t first,
                    int64_t end);
  /// Zeros as the results of the queries [from, to), by the whole block.
  void clearResults(mlir::Value from, mlir::Value to);

  // --- GpuAttention.cpp
  /// The block's batch and the first of its queries; the last blocks go first.
  mlir::Value beginBlock();
  /// Makes the queries from `first` on the rows of the tile.
  void takeQueries(mlir::Value first);
  State attend(const KeyBounds &bounds);
  /// Prepares the lane's rows for the keys of `bounds`.
  void beginTile(const KeyBounds &bounds);
  void copyQueries();
  void copyKeys(mlir::Value tileStart, const KeyBounds &bounds,
                bool withValues);
  mlir::Value keySlot(mlir::Value tileStart);
  mlir::Value valueSlot(mlir::Value tileStart);
  State initialState();
  Values flat(const State &state);
  State unflat(mlir::ValueRange values);

  GpuBuilder &b;
  const AttentionSpec &spec;
  const AttentionTile &tile;
  AttentionViews o;
  bool isPlain;  ///< scores are products alone, scaled in the exponent
  double factor; ///< what scores are multiplied by

  // The same for the block.
  mlir::Value arena, callQueries;
  Values batch;
  mlir::Value start, numQueries, numKeys, oldestKey;
  KeyBounds loaded; ///< keys outside are not loaded
  mlir::Value firstPosition, lastPosition;
  /// Of a row of the tile: its batch and the number of its query.
  std::function<QueryRow(mlir::Value number)> rowOf;
  llvm::SmallDenseMap<int64_t, mlir::Value> limits; ///< by extra

  // Of the thread.
  mlir::Value lane, warp;
  QueryRow rows[2];
  llvm::SmallVector<Values> queries; ///< of each 32 bytes
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_GPUKERNELS_GPUATTENTION_H
