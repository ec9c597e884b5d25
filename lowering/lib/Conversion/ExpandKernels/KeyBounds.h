//===- KeyBounds.h - which keys a mask hides from all, or none --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The mask of nax.kernel.attention as two ranges of keys, for kernels of a CPU
// and of a GPU, whose builders have the same words for other types of numbers.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_KEYBOUNDS_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_KEYBOUNDS_H

#include "AttentionSpec.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <utility>

namespace nax {

/// Keys of some queries: those outside of [from, to) are hidden from all of
/// them, those inside of [fullFrom, fullTo) from none.
struct KeyBounds {
  mlir::Value from, to, fullFrom, fullTo;
};

/// Reads the bounds off a mask's tree.
template <typename Builder>
struct KeyBoundsReader {
  using Predicate = mlir::arith::CmpIPredicate;
  using Value = mlir::Value;

  Builder &b;
  llvm::function_ref<Value(int64_t)> number; ///< as a constant
  llvm::function_ref<Value()> first, last;   ///< positions of the queries
  Value all;                                 ///< how many keys there are
  /// Of less_than and not_before, by the number of their extra; from 0 to all.
  const llvm::SmallDenseMap<int64_t, Value> &limits;

  KeyBounds of(mlir::Attribute tree) {
    Value zero = number(0);
    llvm::StringRef name = nameOf(tree);
    auto child = [&](unsigned i) {
      return mlir::cast<mlir::ArrayAttr>(tree)[i + 1];
    };
    if (name == "and" || name == "or") {
      KeyBounds x = of(child(0)), y = of(child(1));
      return name == "and" ? both(x, y) : either(x, y);
    }
    if (name == "not")
      return complementOf(of(child(0)));
    if (name == "window") {
      Value reach = number(numberOf(tree) - 1);
      Value from = b.sub(first(), reach);
      return {from, all, b.sub(last(), reach), all};
    }
    if (name == "prefix") {
      Value end = number(numberOf(tree));
      return {zero, end, zero, end};
    }
    if (name == "less_than") {
      Value end = limits.lookup(numberOf(tree));
      return {zero, end, zero, end};
    }
    if (name == "not_before") {
      Value start = limits.lookup(numberOf(tree));
      return {start, all, start, all};
    }
    return {zero, all, zero, zero}; // known for each key only
  }

private:
  KeyBounds both(const KeyBounds &x, const KeyBounds &y) {
    return {b.max(x.from, y.from), b.min(x.to, y.to),
            b.max(x.fullFrom, y.fullFrom), b.min(x.fullTo, y.fullTo)};
  }

  /// Two ranges that touch are one; of others the longer is kept.
  KeyBounds either(const KeyBounds &x, const KeyBounds &y) {
    Value touch = b.compare(Predicate::sle, b.max(x.fullFrom, y.fullFrom),
                            b.min(x.fullTo, y.fullTo));
    Value xIsLonger = b.compare(Predicate::sge, b.sub(x.fullTo, x.fullFrom),
                                b.sub(y.fullTo, y.fullFrom));
    return {b.min(x.from, y.from), b.max(x.to, y.to),
            b.select(touch, b.min(x.fullFrom, y.fullFrom),
                     b.select(xIsLonger, x.fullFrom, y.fullFrom)),
            b.select(touch, b.max(x.fullTo, y.fullTo),
                     b.select(xIsLonger, x.fullTo, y.fullTo))};
  }

  /// What is open to all in x is hidden from all in its complement, and the
  /// reverse. A range in the middle leaves two ends, which are no range.
  KeyBounds complementOf(const KeyBounds &x) {
    Value zero = number(0);
    auto beside = [&](Value from, Value to, Value otherFrom, Value otherTo) {
      Value empty = b.compare(Predicate::sge, from, to);
      Value atStart = b.compare(Predicate::sle, from, zero);
      Value atEnd = b.compare(Predicate::sge, to, all);
      Value start = b.select(atStart, to, b.select(atEnd, zero, otherFrom));
      Value end = b.select(atStart, all, b.select(atEnd, from, otherTo));
      return std::pair<Value, Value>(b.select(empty, zero, start),
                                     b.select(empty, all, end));
    };
    auto [from, to] = beside(x.fullFrom, x.fullTo, zero, all);
    auto [fullFrom, fullTo] = beside(x.from, x.to, zero, zero);
    return {from, to, fullFrom, fullTo};
  }
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_KEYBOUNDS_H
