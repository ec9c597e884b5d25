//===- Decode.h - what a step is derived by ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Shared by the files of nax-derive-decode: the axis that an entry is continued
// along, and what of its functions stands on that.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DIALECT_NAX_TRANSFORMS_DECODE_H
#define NAX_LIB_DIALECT_NAX_TRANSFORMS_DECODE_H

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace nax::decode {

/// The causal axis that an entry is continued along.
struct Sequence {
  mlir::func::FuncOp entry;
  llvm::StringRef name; ///< of the entry
  /// T as the model declares it and what is read of it; the continued one that
  /// takes its place.
  AxisAttr axis, read, now, readNow;
  /// The axes before T in the first argument that stands on it. Each row has
  /// new positions of its own.
  llvm::SmallVector<AxisAttr> rows;
  /// That argument.
  unsigned first = 0;

  bool isOn(mlir::Type type) const { return has(type, axis); }
  /// On Read<T> and not on T: keys, values and what they are made of. A step
  /// has the new ones at hand and the others in a cache.
  bool isOffered(mlir::Type type) const {
    return has(type, read) && !has(type, axis);
  }
  /// On T and Read<T>: scores, weights, masks.
  bool isPair(mlir::Type type) const {
    return has(type, read) && has(type, axis);
  }
  /// Whether anything of the type is about T.
  bool mentions(mlir::Type type) const;
  bool mentions(mlir::func::FuncOp function) const;
  /// The first row that `type` lacks; null if it has all.
  AxisAttr missingRow(mlir::Type type) const;
  /// Lengths or starts of T, which a step's span replaces.
  bool isReplaced(mlir::func::FuncOp function, unsigned argument) const;

  static bool has(mlir::Type type, AxisAttr axis) {
    auto tensor = mlir::dyn_cast<TensorType>(type);
    return tensor && tensor.has(axis);
  }
};

/// The axis along which `entry` can be continued. Fails after an error at the
/// user's line.
mlir::FailureOr<Sequence> sequenceOf(mlir::func::FuncOp entry);

/// Whether a step can be derived from every operation of the entry and of what
/// it calls. Else one error at the user's line.
llvm::LogicalResult checkDerivable(const Sequence &sequence);

/// Makes @ENTRY_step and, where values without T reach operations on it,
/// @ENTRY_begin. What checkDerivable has not seen fails after an error.
llvm::LogicalResult deriveStep(const Sequence &sequence);

/// "mean<B,T>", "operator+": an operation as the language spells it.
std::string spell(mlir::Operation *op);

/// The function that `call` calls, which the module's verifier has looked up.
inline mlir::func::FuncOp calleeOf(mlir::func::CallOp call) {
  return call->getParentOfType<mlir::ModuleOp>()
      .lookupSymbol<mlir::func::FuncOp>(call.getCallee());
}

} // namespace nax::decode

#endif // NAX_LIB_DIALECT_NAX_TRANSFORMS_DECODE_H
