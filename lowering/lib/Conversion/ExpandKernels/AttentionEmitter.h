//===- AttentionEmitter.h - what all attention kernels share ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Where queries and keys are, which keys a query may read, and what a score is
// made of. Two forms of loops build on it: blocks of queries in lanes
// (AttentionBlocks.h) and one query with keys in lanes (AttentionOne.cpp).
//
// Positions are absolute. With a cache a row's queries begin at `start`, and
// the position of query t is start + t; without one `start` is 0. Keys are
// taken in tiles that begin at multiples of one number, whatever the mask and
// the sizes are, so that the arithmetic of a query follows from its own allowed
// keys alone.
//
// Scores are kept times log2(e): the softmax is made of powers of two. -inf is
// the score of a blocked key, whose weight is then exactly 0. Maxima begin at
// the lowest finite number, so that -inf minus a maximum never is a NaN.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONEMITTER_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONEMITTER_H

#include "AttentionSpec.h"
#include "KernelBuilder.h"
#include "KeyBounds.h"

#include "llvm/ADT/DenseMap.h"

namespace nax {

/// The operands as arguments of the outlined function; null where absent.
struct AttentionOperands {
  mlir::Value q, k, v, out, keyCache, valueCache, span;
  mlir::ValueRange extras;
  mlir::Value scratch;
};

/// Keys [from, to) that lie one after another: key s is number s - base of
/// `memref`.
struct KeyRun {
  mlir::Value memref, from, to, base;
};

/// A query and a key, one of them or both sixteen in lanes.
struct Pairs {
  mlir::Value t, s; ///< positions, i32
  /// What the document extra says at the query and at the key.
  llvm::function_ref<std::pair<mlir::Value, mlir::Value>(int64_t)> documents;
  /// i1 or i8, of the extra of a "true" or "false".
  llvm::function_ref<mlir::Value(int64_t)> truth;
};

class AttentionEmitter {
public:
  AttentionEmitter(KernelBuilder &b, const AttentionSpec &spec,
                   const AttentionOperands &operands);

protected:
  /// The product of the extents of these batch dimensions, and their indices
  /// for a number below it, the last one first.
  mlir::Value extentOf(llvm::ArrayRef<unsigned> dims);
  void setBatch(llvm::ArrayRef<unsigned> dims, mlir::Value number);
  /// Start and end of the row that `batch` says.
  void beginRow();
  /// Writes zeros as the results of the queries [from, to).
  void clearResults(mlir::Value from, mlir::Value to);

  /// Runs `body` for the parts of [from, to) that lie one after another: slots
  /// before the ring's wrap, slots behind it, new ones. Without a `cache` there
  /// is one part. The loop is emitted once.
  Values forEachRun(mlir::Value newOnes, mlir::Value cache, mlir::Value from,
                    mlir::Value to, mlir::ValueRange init,
                    llvm::function_ref<Values(const KeyRun &, Values)> body);
  /// Runs `body(index, key)` for the keys [from, to) of an extra that is read
  /// at keys; the element at `index` of its memref is the key's.
  void
  forEachKeyOf(int64_t extra, mlir::Value from, mlir::Value to,
               llvm::function_ref<void(mlir::Value element, mlir::Value)> body);

  // --- AttentionMask.cpp
  KeyBounds keyBounds();
  /// One truth for all lanes (i1), or one each (vector<16xi1>).
  mlir::Value allowed(mlir::Attribute tree, const Pairs &pairs);
  mlir::Value compare(KernelBuilder::Predicate predicate, mlir::Value x,
                      mlir::Value y);

  // --- AttentionScores.cpp
  /// From the scaled dot products to scores, both times log2(e). `bias` and
  /// `negatedSlope` (of alibi, times log2(e)) are lanes or null.
  mlir::Value scored(mlir::Value dots, mlir::Value bias,
                     mlir::Value negatedSlope, const Pairs &pairs);
  mlir::Value negatedSlope();
  /// 1 / sum, or 0 for a query with nothing allowed.
  mlir::Value inverted(mlir::Value sum);

  llvm::SmallVector<mlir::Value> at(mlir::AffineMap map, mlir::Value t,
                                    mlir::Value s = {}, mlir::Value d = {},
                                    mlir::Value e = {});
  mlir::Value loadExtra(int64_t extra, mlir::Value t, mlir::Value s = {});
  /// Whether dimension `dim` of the maps is the last of `memref` and adjacent.
  bool isAdjacent(mlir::Value memref, mlir::AffineMap map, unsigned dim);
  mlir::Value position(mlir::Value t) { return b.add(start, t); }

  KernelBuilder &b;
  const AttentionSpec &spec;
  AttentionOperands o;
  mlir::Value callQueries; ///< T of the call

  // Of the current row and its queries that are looked at.
  Values batch;
  mlir::Value start, numQueries, numKeys; ///< its own; keys with the cached
  mlir::Value firstQuery, endQuery;       ///< numbers from 0, not positions
  mlir::Value oldestKey; ///< no cache has a slot for one before it

private:
  /// A cache of the row: its slots, and the last position that is a multiple
  /// of their number before `start`, at the slot 0.
  struct Ring {
    mlir::Value slots, wrap;
  };

  llvm::SmallDenseMap<mlir::Value, Ring> rings;
  llvm::SmallDenseMap<int64_t, mlir::Value> limits; ///< by extra
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONEMITTER_H
