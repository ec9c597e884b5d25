//===- Lifetimes.h - from when to when a buffer is needed -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Private to this folder. Functions are straight-line code: what reaches a
// buffer does so in one block, through views or inside of an operation there.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_TRANSFORMS_LIFETIMES_H
#define NAX_LIB_TRANSFORMS_LIFETIMES_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace nax {

/// The value that `value` is a view of, through any number of them.
inline mlir::Value rootOf(mlir::Value value) {
  while (auto view = value.getDefiningOp<mlir::ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// The first and the last operation of `block` that touch the numbers of a
/// buffer; null if none does. Views touch none.
struct Lifetime {
  mlir::Operation *first = nullptr, *last = nullptr;

  static Lifetime get(mlir::Value buffer, mlir::Block *block) {
    Lifetime life;
    life.addUsers(buffer, block);
    return life;
  }

private:
  void addUsers(mlir::Value value, mlir::Block *block) {
    for (mlir::Operation *user : value.getUsers()) {
      mlir::Operation *here = block->findAncestorOpInBlock(*user);
      if (here == user && mlir::isa<mlir::ViewLikeOpInterface>(user)) {
        for (mlir::Value view : user->getResults())
          addUsers(view, block);
        continue;
      }
      if (!first || here->isBeforeInBlock(first))
        first = here;
      if (!last || last->isBeforeInBlock(here))
        last = here;
    }
  }
};

} // namespace nax

#endif // NAX_LIB_TRANSFORMS_LIFETIMES_H
