//===- WeightFormat.h - how weights may be stored ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// What a matrix that the model declares as f32 may be stored as. The bytes are
// those that the runtime's model_desc.h describes.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_CONVERSION_WEIGHTFORMAT_H
#define NAX_CONVERSION_WEIGHTFORMAT_H

#include "nax/model_desc.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace nax {

/// Panels of pairs of bf16 have so many columns, and whole runs of so many
/// numbers of K, zero past K: two tiles of AMX, which have 16 pairs each.
inline constexpr int64_t kPairColumns = 32, kPairDepth = 32;
inline int64_t pairsOf(int64_t k) {
  return (k + kPairDepth - 1) / kPairDepth * (kPairDepth / 2);
}

struct WeightFormat {
  llvm::StringRef name; ///< as --weights and the IR have it
  nax_stored stored;
  int64_t block; ///< neighbours in K that are stored together
  int64_t bytes; ///< of one column of a block

  // Of the quantised ones: a number is (q - offset) times a scale, plus what is
  // least where there is such a thing.
  int64_t scale;  ///< neighbours in K that have one scale; 0: none have one
  int64_t bits;   ///< of q in a byte at `quantsAt`: 4 or 8
  int64_t offset; ///< what q has that is 0
  // Where a record has its fields, in bytes for one column; -1: it has none.
  int64_t leastAt;  ///< f16, for the block, after that of the scale at 0
  int64_t scalesAt; ///< 8 bits, by which the block's is multiplied
  int64_t leastsAt; ///< 8 bits, what is to be subtracted
  int64_t quantsAt;
  int64_t highAt; ///< 2 bits of q above those at `quantsAt`

  bool isQuantised() const { return scale != 0; }
  bool hasLeast() const { return leastAt >= 0; }
  /// Bytes of what panels of `width` columns have of one block.
  int64_t recordBytes(int64_t width) const { return width * bytes; }

  static llvm::ArrayRef<WeightFormat> all() {
    static constexpr WeightFormat formats[] = {
        {"f16", NAX_STORED_F16, 1, 2, 0, 0, 0, -1, -1, -1, -1, -1},
        {"bf16", NAX_STORED_BF16, 1, 2, 0, 0, 0, -1, -1, -1, -1, -1},
        {"q8_0", NAX_STORED_Q8_0, 32, 34, 32, 8, 128, -1, -1, -1, 2, -1},
        {"q4_0", NAX_STORED_Q4_0, 32, 18, 32, 4, 8, -1, -1, -1, 2, -1},
        {"q4_1", NAX_STORED_Q4_1, 32, 20, 32, 4, 0, 2, -1, -1, 4, -1},
        {"q6_k", NAX_STORED_Q6_K, 256, 210, 16, 4, 32, -1, 2, -1, 18, 146},
        {"q4_k", NAX_STORED_Q4_K, 256, 148, 32, 4, 0, 2, 4, 12, 20, -1},
    };
    return formats;
  }

  static std::optional<WeightFormat> get(llvm::StringRef name) {
    for (const WeightFormat &format : all())
      if (format.name == name)
        return format;
    return std::nullopt;
  }
  /// None for what a slot has as declared, or in pairs.
  static std::optional<WeightFormat> get(nax_stored stored) {
    for (const WeightFormat &format : all())
      if (format.stored == stored)
        return format;
    return std::nullopt;
  }

  static bool isQuantised(nax_stored stored) {
    std::optional<WeightFormat> format = get(stored);
    return format && format->isQuantised();
  }

  /// What an error lists.
  static constexpr llvm::StringLiteral names =
      "f16, bf16, q8_0, q4_0, q4_1, q6_k or q4_k";
};

} // namespace nax

#endif // NAX_CONVERSION_WEIGHTFORMAT_H
