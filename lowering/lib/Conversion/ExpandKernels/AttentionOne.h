//===- AttentionOne.h - attention of rows with one query --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The step of a conversation: a row has one new position and looks back at all
// old ones, so what it costs is the reading of keys and values. Components of a
// key stand in lanes while dot products are made, then keys do. Heads that have
// a key in common are done together.
//
// The keys of a row's heads lie side by side, position after position. A tile
// of keys is read in that order, strip by strip for all heads, and so are its
// values behind it: memory is quick where it is read from one end to the other.
//
// A row's keys are cut into units, at most sixteen, that may run at once. How
// long they are follows from the row's length alone. Each leaves a maximum, a
// sum and outputs; these are put together in the order of the keys. Where units
// are too few to keep processors busy, heads are shared out, too; a head's
// result does not depend on who is done beside it.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONONE_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONONE_H

#include "AttentionEmitter.h"

namespace nax {

/// Where things are in scratch, in bytes: in that of a chunk, but for the
/// states of units, which all chunks have in common.
struct OneScratch {
  static constexpr int64_t kTileKeys = 128; ///< of one step of the softmax
  static constexpr int64_t kMostUnits = 16; ///< of one row
  static constexpr int64_t kUnitSlots = 64; ///< units at once
  static constexpr int64_t kMostQueries = 32;

  llvm::SmallVector<unsigned> rowDims;  ///< what tells rows apart
  llvm::SmallVector<unsigned> sideDims; ///< and keys that lie side by side
  int64_t keyHeads;     ///< most keys side by side that a unit has
  int64_t group;        ///< heads that have keys in common
  int64_t heads;        ///< of these, done at once
  int64_t queryVectors; ///< of 16 components
  int64_t valueVectors;
  int64_t queries, scores, chunkBytes = 0;
  llvm::SmallDenseMap<int64_t, int64_t> extras; ///< what is read at keys

  explicit OneScratch(const AttentionSpec &spec);
  /// Numbers in a row of scores or of an extra: the last group of keys may
  /// stick out.
  static constexpr int64_t rowLength() { return kTileKeys + kLanes; }
  /// Rows of scores for each of the `keyHeads`.
  int64_t scoreRows() const { return (group + heads - 1) / heads * heads; }
  /// A state is the maximum, the sum and the outputs, vectors all.
  int64_t stateVectors() const { return 2 + valueVectors; }
  int64_t statesAt() const { return chunkBytes * kMaxChunks; }
  int64_t bytes() const {
    return statesAt() +
           kUnitSlots * keyHeads * group * stateVectors() * kLanes * 4;
  }

private:
  void splitHeads(const AttentionSpec &spec);
};

/// Results of the rows with one query, and zeros past the end of those with one
/// or none.
void emitAttentionOfOne(KernelBuilder &b, const AttentionSpec &spec,
                        const AttentionOperands &operands,
                        const CpuTarget &cpu);

class OneQuery : public AttentionEmitter {
public:
  OneQuery(KernelBuilder &b, const AttentionSpec &spec,
           const AttentionOperands &operands, const CpuTarget &cpu);
  void run();

protected:
  /// Heads of one group that are done at once.
  struct Heads {
    mlir::Value keyHead; ///< number among those of the unit
    mlir::Value first;   ///< number within the group
  };

  // --- AttentionOneUnits.cpp
  /// The units of the current row: number i has the keys from `first +
  /// i * length` on.
  struct Units {
    mlir::Value first, length, count;
  };
  /// How the heads of a row are shared out: `blocks` times `size` of them, the
  /// last block may have fewer.
  struct Blocks {
    mlir::Value heads, size, count;
  };
  Units unitsOfRow();
  mlir::Value mostUnits();
  Blocks blocksOfHeads(mlir::Value units);
  void bindScratch(mlir::Value chunk);
  /// Rows times blocks of heads are what is numbered.
  void beginBlock(const Blocks &blocks, mlir::Value number);
  void attendUnit(mlir::Value number, mlir::Value slot);
  void attendKeys(mlir::Value from, mlir::Value to);
  void combine(mlir::Value firstSlot);
  void combineHead(mlir::Value query, mlir::Value firstSlot, mlir::Value end);
  void storeResult(mlir::ValueRange outputs);
  mlir::Value state(mlir::Value slot, mlir::Value query, int64_t vector);
  void setState(mlir::Value value, mlir::Value slot, mlir::Value query,
                int64_t vector);
  /// Runs `body` for each head of the block, by its number among the queries.
  void forEachQuery(llvm::function_ref<void(mlir::Value)> body);
  void forEachHeads(llvm::function_ref<void(const Heads &)> body);
  /// Of number j of the heads: within the group, its last one again past the
  /// end; in `queries` and states; in `scores`.
  mlir::Value headNumber(const Heads &these, int64_t j);
  mlir::Value queryRow(const Heads &these, int64_t j);
  mlir::Value scoreRow(const Heads &these, int64_t j);

  // --- AttentionOne.cpp
  void loadQueries();
  void fetchAhead(mlir::Value memref, mlir::AffineMap map, mlir::Value key,
                  int64_t first, int64_t lanes);
  /// Keys [from, to) of a tile.
  void attendTile(mlir::Value tileStart, mlir::Value from, mlir::Value to);
  void stageExtras(const Heads &these, mlir::Value tileStart, mlir::Value from,
                   mlir::Value to);
  void makeDots(mlir::Value tileStart, mlir::Value from, mlir::Value to);
  mlir::Value dotsOf(const Heads &these, const KeyRun &run, mlir::Value s,
                     bool isWhole);
  void weigh(const Heads &these, mlir::Value tileStart, mlir::Value from,
             mlir::Value to);
  Values makeScores(const Heads &these, mlir::Value tileStart, mlir::Value from,
                    mlir::Value to, mlir::ValueRange maxima);
  Values makeWeights(const Heads &these, mlir::Value tileStart,
                     mlir::Value from, mlir::Value to, mlir::ValueRange maxima);
  void addValues(mlir::Value tileStart, mlir::Value from, mlir::Value to);
  void addStrip(const Heads &these, const KeyRun &run, mlir::Value tileStart);
  Values addValue(const Heads &these, const KeyRun &run, mlir::Value tileStart,
                  mlir::Value s, int64_t first, int64_t count, Values sum);
  Values
  forEachLanes(mlir::Value tileStart, mlir::Value from, mlir::Value to,
               Values init,
               llvm::function_ref<Values(mlir::Value column, Values)> body);
  mlir::Value ofKeys(int64_t extra, int64_t j, mlir::Value column);
  mlir::Value loadPart(mlir::Value memref, mlir::AffineMap map, unsigned dim,
                       mlir::Value key, mlir::Value component, int64_t lanes);

  OneScratch layout;
  int64_t sums;      ///< dot products whose sums are kept in registers
  int64_t groupKeys; ///< keys whose dot products make one vector
  mlir::Value queries, scores, states, slot;
  mlir::Value firstHead, numHeads; ///< of the current block
  llvm::SmallDenseMap<int64_t, mlir::Value> extraRows;
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONONE_H
