//===- AttentionOne.h - attention of rows with one query --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The step of a conversation: a row has one new position and looks back at all
// old ones, so what it costs is the reading of keys and values. Components of a
// key stand in lanes while dot products are made, then keys do. Heads that have
// a key in common are done together.
//
// A row's keys are cut into units, at most sixteen, that may run at once. How
// long they are follows from the row's length alone. Each leaves a maximum, a
// sum and outputs; these are put together in the order of the keys.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONONE_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONONE_H

#include "AttentionEmitter.h"

namespace nax {

/// Where things are in scratch, in bytes: in that of a chunk, but for the
/// states of units, which all chunks have in common.
struct OneScratch {
  static constexpr int64_t kTileKeys = 256; ///< of one step of the softmax
  static constexpr int64_t kMostUnits = 16; ///< of one row
  static constexpr int64_t kUnitSlots = 128;

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
  /// A state is the maximum, the sum and the outputs, vectors all.
  int64_t stateVectors() const { return 2 + valueVectors; }
  int64_t statesAt() const { return chunkBytes * kMaxChunks; }
  int64_t bytes() const {
    return statesAt() + kUnitSlots * group * stateVectors() * kLanes * 4;
  }
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
  // --- AttentionOneUnits.cpp
  /// The units of the current row: number i has the keys from `first +
  /// i * length` on.
  struct Units {
    mlir::Value first, length, count;
  };
  Units unitsOfRow();
  mlir::Value mostUnits();
  void bindScratch(mlir::Value chunk);
  void beginHead(mlir::Value head);
  void attendUnit(mlir::Value number, mlir::Value slot);
  void attendKeys(mlir::Value from, mlir::Value to);
  void combine(mlir::Value firstSlot);
  void storeResult(mlir::ValueRange outputs);
  mlir::Value state(mlir::Value slot, mlir::Value head, int64_t vector);
  void setState(mlir::Value value, mlir::Value slot, mlir::Value head,
                int64_t vector);

  // --- AttentionOne.cpp
  void loadQueries();
  void fetchAhead(mlir::Value memref, mlir::AffineMap map, mlir::Value key,
                  int64_t first, int64_t lanes);
  /// Keys [from, to) of a tile, for the heads from `head` on.
  void attendTile(mlir::Value head, mlir::Value tileStart, mlir::Value from,
                  mlir::Value to);
  void stageExtras(mlir::Value head, mlir::Value tileStart, mlir::Value from,
                   mlir::Value to);
  void makeDots(mlir::Value head, mlir::Value tileStart, mlir::Value from,
                mlir::Value to);
  mlir::Value dotsOf(mlir::Value head, const KeyRun &run, mlir::Value s,
                     bool isWhole);
  Values makeScores(mlir::Value head, mlir::Value tileStart, mlir::Value from,
                    mlir::Value to, mlir::ValueRange maxima);
  Values makeWeights(mlir::Value tileStart, mlir::Value from, mlir::Value to,
                     mlir::ValueRange maxima);
  void addValues(mlir::Value head, mlir::Value tileStart, mlir::Value from,
                 mlir::Value to, mlir::ValueRange factors);
  Values
  forEachLanes(mlir::Value tileStart, mlir::Value from, mlir::Value to,
               Values init,
               llvm::function_ref<Values(mlir::Value column, Values)> body);
  mlir::Value ofKeys(int64_t extra, int64_t j, mlir::Value column);
  /// Number j of the heads from `head` on; the last one again past the end.
  mlir::Value headNumber(mlir::Value head, int64_t j);
  mlir::Value loadPart(mlir::Value memref, mlir::AffineMap map, unsigned dim,
                       mlir::Value key, mlir::Value component, int64_t lanes);

  OneScratch layout;
  int64_t sums;      ///< dot products whose sums are kept in registers
  int64_t groupKeys; ///< keys whose dot products make one vector
  mlir::Value queries, scores, states, slot;
  llvm::SmallDenseMap<int64_t, mlir::Value> extraRows;
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONONE_H
