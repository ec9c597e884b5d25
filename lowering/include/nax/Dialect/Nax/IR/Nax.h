//===- Nax.h - the one include for users of the dialect ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// mlir::TensorType exists too: write nax::TensorType outside of namespace nax.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_DIALECT_NAX_IR_NAX_H
#define NAX_DIALECT_NAX_IR_NAX_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <memory>

namespace nax {

namespace detail {
class AxisTable;
struct AxisTableDeleter {
  void operator()(AxisTable *table) const;
};
} // namespace detail

/// What was done to scores, in this order; the bits of KindAttr::getStates.
enum ScoreState : uint32_t { Capped = 1, Biased = 2, Masked = 4, Causally = 8 };

} // namespace nax

#include "nax/Dialect/Nax/IR/NaxEnums.h.inc"

#include "nax/Dialect/Nax/IR/NaxDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "nax/Dialect/Nax/IR/NaxAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "nax/Dialect/Nax/IR/NaxTypes.h.inc"

namespace nax {

/// The axes that an ArrayAttr of AxisAttr holds, and the reverse.
llvm::ArrayRef<AxisAttr> axesOf(mlir::ArrayAttr array);
mlir::ArrayAttr axesAttr(mlir::MLIRContext *context,
                         llvm::ArrayRef<AxisAttr> axes);

} // namespace nax

#define GET_OP_CLASSES
#include "nax/Dialect/Nax/IR/NaxOps.h.inc"

#endif // NAX_DIALECT_NAX_IR_NAX_H
