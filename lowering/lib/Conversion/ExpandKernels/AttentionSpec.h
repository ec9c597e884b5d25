//===- AttentionSpec.h - an attention kernel in one form --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONSPEC_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONSPEC_H

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/IR/AffineMap.h"

#include <optional>

namespace nax {

/// What nax.kernel.attention and nax.kernel.attention_weights say.
struct AttentionSpec {
  mlir::AffineMap queryMap, keyMap, valueMap, outMap;
  mlir::AffineMap spanMap; ///< null: without a cache
  llvm::SmallVector<mlir::AffineMap> extraMaps;
  llvm::SmallVector<mlir::Type> extraElements;
  llvm::SmallVector<int64_t> extraCaches; ///< -1: it has none
  unsigned numBatch;
  double scale;
  std::optional<double> cap;
  std::optional<int64_t> bias, alibi;
  bool causal;
  mlir::ArrayAttr mask;        ///< null: everything is allowed
  int64_t components;          ///< of queries and keys
  int64_t valueComponents = 0; ///< 0: weights are asked for
  mlir::AffineMap ropeMap;     ///< null: queries are taken as they are
  int64_t pairs = 0;           ///< that rotate, of a query
  bool isInterleaved = false;  ///< 2i rotates with 2i + 1, not i with i + pairs

  /// Batch dimensions whose queries have one key and one row in common, as
  /// heads of a group have, and their sizes; all others.
  llvm::SmallVector<unsigned> groupDims, headDims;
  llvm::SmallVector<int64_t> groupSizes, headSizes;

  static AttentionSpec get(kernel::AttentionOp op);
  static AttentionSpec get(kernel::AttentionWeightsOp op);

  bool cached() const { return bool(spanMap); }
  bool dependsOnQuery(int64_t extra) const {
    return extraMaps[extra].isFunctionOfDim(numBatch);
  }
  /// The numbers of the extras that the mask has under these names.
  llvm::SmallVector<int64_t>
  extrasOf(llvm::ArrayRef<llvm::StringRef> names) const;
  /// The dimension of an extra's map that keys go through: t of documents,
  /// which are read at both, s of others.
  unsigned keyDim(int64_t extra) const;
  /// Extras of the mask and the bias that have a number for each key.
  llvm::SmallVector<int64_t> keyExtras() const;
  /// Whether no key between the bounds of a single query is blocked.
  bool boundsAreExact() const;
  int64_t groupSize() const;
};

/// Of a node of the mask's tree: "window" and its number.
llvm::StringRef nameOf(mlir::Attribute tree);
int64_t numberOf(mlir::Attribute tree);

/// The dimension of a buffer that dimension `dim` of its map is.
unsigned positionOf(mlir::AffineMap map, unsigned dim);

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_ATTENTIONSPEC_H
