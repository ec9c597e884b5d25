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

#include "nax/Conversion/Touched.h"
#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"

namespace nax {

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

/// A function's operations in the order in which they run; those of one phase
/// of a nax.phases run at once.
class Steps {
public:
  explicit Steps(mlir::Block *block) {
    for (mlir::Operation &op : *block) {
      numbers[&op] = ++last;
      if (mlir::isa<PhasesOp>(op))
        for (mlir::Region &phase : op.getRegions())
          for (mlir::Operation &inner : phase.front())
            numbers[&inner] = last + phase.getRegionNumber();
      last += op.getNumRegions();
    }
  }

  /// The numbers of the first and the last one that touch a buffer, or that of
  /// its allocation.
  std::pair<size_t, size_t> lifeOf(mlir::Operation *alloc) {
    std::pair<size_t, size_t> life(SIZE_MAX, 0);
    addUsers(alloc, life);
    size_t own = numbers[alloc];
    return life.first == SIZE_MAX ? std::pair(own, own) : life;
  }

private:
  void addUsers(mlir::Operation *value, std::pair<size_t, size_t> &life) {
    for (mlir::Operation *user : value->getUsers()) {
      if (mlir::isa<mlir::ViewLikeOpInterface>(user) && numbers.count(user)) {
        addUsers(user, life);
        continue;
      }
      while (!numbers.count(user))
        user = user->getParentOp();
      life.first = std::min(life.first, numbers[user]);
      life.second = std::max(life.second, numbers[user]);
    }
  }

  llvm::DenseMap<mlir::Operation *, size_t> numbers;
  size_t last = 0;
};

} // namespace nax

#endif // NAX_LIB_TRANSFORMS_LIFETIMES_H
