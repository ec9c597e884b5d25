//===- Epilogue.h - what is done to the sums of a dot -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_EPILOGUE_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_EPILOGUE_H

#include "DotChunks.h"

namespace nax {

/// Numbers from around the epilogue of a dot that it uses, in the order of
/// their first use. Constants are none: they are made anew.
Values capturesOf(kernel::DotOp op);

/// Reports what an epilogue has that vectors of f32 can't do.
mlir::LogicalResult checkEpilogue(kernel::DotOp op);

/// The epilogue of a dot on vectors. One with functions that become polynomials
/// is a loop over the sums, which are written to memory: code for each of them
/// would be most of the kernel's.
class Epilogue {
public:
  /// `extras` and `captures` are the function's own; nothing of the epilogue is
  /// used but its body.
  Epilogue(KernelBuilder &b, kernel::DotOp op, mlir::ValueRange extras,
           mlir::ValueRange captures)
      : b(b), op(op), extras(extras), captures(captures) {}

  /// Whether sums are stored as they are.
  bool isEmpty() { return op.getEpilogue().empty(); }
  /// Within a chunk, before its tiles: where the sums of one are written, if
  /// they are.
  void begin(const DotShape &shape);
  /// What is stored for the sums of a tile: vectors of row after row, `count`
  /// rows from `row` on, in columns from `column` on.
  void store(mlir::ValueRange sums, int64_t count, mlir::Value row,
             mlir::Value column, PanelColumns cols, mlir::Value result);
  /// The same for sums in memory, [rows * stride, lanes], of which those of
  /// rows `from` to `to` are stored. Row `from` of them is row `row` of the
  /// result.
  void storeWritten(mlir::Value sums, int64_t stride, mlir::Value from,
                    mlir::Value to, mlir::Value row, mlir::Value column,
                    PanelColumns cols, mlir::Value result);

private:
  /// Extras of one dimension are the same for all rows: the vectors of those
  /// columns, null for others.
  Values loadColumns(mlir::Value column, int64_t lanes);
  /// What is stored for the sums of these lanes of a row. Its extras are read
  /// here: they may lie where it is stored.
  mlir::Value apply(mlir::Value sums, mlir::Value row, mlir::Value column,
                    int64_t lanes, mlir::ValueRange columns);
  mlir::Value vectorOf(mlir::Operation *constant);
  Values cloneOnto(mlir::Operation *inner, mlir::ValueRange operands);

  KernelBuilder &b;
  kernel::DotOp op;
  mlir::ValueRange extras, captures;
  mlir::Value written; ///< [sums of a tile, lanes]
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_EPILOGUE_H
