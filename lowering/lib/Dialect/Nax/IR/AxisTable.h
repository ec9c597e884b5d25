//===- AxisTable.h - descriptions of axes, one for each ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The typing rules that the language and the dialect share compare axes by the
// address of their description. A context has one table, so equal attributes
// have one description.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DIALECT_NAX_IR_AXISTABLE_H
#define NAX_LIB_DIALECT_NAX_IR_AXISTABLE_H

#include "nax/Dialect/Nax/IR/Nax.h"
#include "nax/rules.h"

#include "llvm/ADT/DenseMap.h"

#include <mutex>

namespace nax::detail {

class AxisTable {
public:
  rule::Ax describe(AxisAttr axis) {
    // Functions are verified in parallel.
    std::lock_guard<std::mutex> lock(mutex);
    return lookup(axis);
  }

private:
  struct Entry {
    rule::AxisInfo info;
    llvm::SmallVector<rule::Ax, 3> parts;
  };

  rule::Ax lookup(AxisAttr axis);

  std::mutex mutex;
  llvm::DenseMap<AxisAttr, std::unique_ptr<Entry>> entries;
};

} // namespace nax::detail

#endif // NAX_LIB_DIALECT_NAX_IR_AXISTABLE_H
