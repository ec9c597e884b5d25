//===- QuantisedRows.h - rows as quantised weights meet them ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_QUANTISEDROWS_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_QUANTISEDROWS_H

#include "KernelBuilder.h"

#include "nax/Conversion/WeightFormat.h"

namespace nax {

/// Numbers of a row that have one scale, and so many of a weight's.
inline constexpr int64_t kRowBlock = 32;

/// What the scratch of a dot has of one row, in words of 32 bits: the numbers,
/// a scale for each block of 32, then a sum for each scale of the weights.
struct RowForm {
  WeightFormat format; ///< of the weights
  int64_t k;
  bool exact;   ///< numbers stay where they are
  bool inBytes; ///< four integers are a word; else each is one of f32

  static RowForm get(kernel::DotOp op, bool hasVnni);

  int64_t numbers() const { return exact ? 0 : inBytes ? k / 4 : k; }
  int64_t scalesAt() const { return numbers(); }
  int64_t sumsAt() const { return scalesAt() + (exact ? 0 : k / kRowBlock); }
  /// Bytes are multiplied with weights to which `offset` was added, and what is
  /// least in a block is multiplied with the sum of a row's.
  bool hasSums() const {
    return format.hasLeast() || (inBytes && format.offset != 0);
  }
  int64_t words() const {
    return sumsAt() + (hasSums() ? k / format.scale : 0);
  }
};

class QuantisedRows {
public:
  using Value = mlir::Value;

  /// `rows` are [M, K], `scratch` has RowForm::words() words for each; null
  /// where that is 0.
  QuantisedRows(KernelBuilder &b, const RowForm &form, Value rows,
                Value scratch);

  /// Fills the scratch: in each block x becomes x * 127 / max|x|, rounded to
  /// the nearest integer, to an even one from the middle.
  void quantise();

  // What tiles read, in each of sixteen lanes.
  /// Four integers as the bytes of an i32, from column 4 * `group` on.
  Value fourBytes(Value row, Value group);
  Value number(Value row, Value column);
  Value scale(Value row, Value block);
  /// What the sum of products of one scale begins with, i32.
  Value start(Value row, Value unit);
  /// The sum of a row's numbers in a block.
  Value sum(Value row, Value block);

private:
  void quantiseBlock(Value row, Value block);
  void sumBlock(Value row, Value block);
  Value word(Value row, int64_t field, Value at);
  void setWord(Value value, Value row, int64_t field, Value at);

  KernelBuilder &b;
  const RowForm &form;
  Value rows, words; // [M, K], [M, words of a row]
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_QUANTISEDROWS_H
