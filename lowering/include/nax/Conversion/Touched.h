//===- Touched.h - buffers that an operation touches ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_CONVERSION_TOUCHED_H
#define NAX_CONVERSION_TOUCHED_H

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

namespace nax {

/// The value that `value` is a view of, through any number of them.
inline mlir::Value rootOf(mlir::Value value) {
  while (auto view = value.getDefiningOp<mlir::ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// Buffers whose numbers an operation, or one inside of it, reads or writes.
struct Touched {
  llvm::SetVector<mlir::Value> reads, writes;
  bool isKnown = true; ///< else there may be more

  static Touched get(mlir::Operation *op) {
    Touched touched;
    op->walk([&](mlir::Operation *inner) { touched.add(inner); });
    return touched;
  }

  /// Whether it matters which of two operations is the first.
  bool conflictsWith(const Touched &other) const {
    auto writesOneOf = [](const Touched &x,
                          const llvm::SetVector<mlir::Value> &values) {
      return llvm::any_of(values,
                          [&](mlir::Value v) { return x.writes.contains(v); });
    };
    return !isKnown || !other.isKnown || writesOneOf(*this, other.reads) ||
           writesOneOf(*this, other.writes) || writesOneOf(other, reads);
  }

private:
  void add(mlir::Operation *op) {
    auto effects = mlir::dyn_cast<mlir::MemoryEffectOpInterface>(op);
    if (!effects) {
      isKnown &= op->hasTrait<mlir::OpTrait::HasRecursiveMemoryEffects>() ||
                 mlir::isMemoryEffectFree(op);
      return;
    }
    llvm::SmallVector<mlir::MemoryEffects::EffectInstance> all;
    effects.getEffects(all);
    for (const mlir::MemoryEffects::EffectInstance &effect : all) {
      if (!effect.getValue())
        isKnown = false;
      else if (mlir::isa<mlir::MemoryEffects::Read>(effect.getEffect()))
        reads.insert(rootOf(effect.getValue()));
      else if (!mlir::isa<mlir::MemoryEffects::Allocate>(effect.getEffect()))
        writes.insert(rootOf(effect.getValue()));
    }
  }
};

} // namespace nax

#endif // NAX_CONVERSION_TOUCHED_H
