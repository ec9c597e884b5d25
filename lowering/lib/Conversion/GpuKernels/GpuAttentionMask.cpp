//===- GpuAttentionMask.cpp - which keys a query may read -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A mask is a tree (see nax.kernel.attention). It is read twice: as bounds for
// the queries of a block, which say which keys are never loaded and which tiles
// need no mask at all, and as a truth for each pair, in the tiles between.
//
//===----------------------------------------------------------------------===//

#include "GpuAttention.h"

using namespace mlir;
using namespace nax;

static ArrayRef<Attribute> childrenOf(Attribute tree) {
  return cast<ArrayAttr>(tree).getValue().drop_front();
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

KeyBounds GpuAttention::keyBounds(Value firstQuery, Value endQuery) {
  firstPosition = position(firstQuery);
  lastPosition = b.sub(position(endQuery), b.i32(1));
  for (int64_t extra : spec.extrasOf({"less_than", "not_before"})) {
    // No key is on the other side of what is cut off.
    Value limit = b.toI32(loadExtra(extra, batch, firstQuery));
    limits[extra] = b.max(b.min(limit, numKeys), b.i32(0));
  }
  KeyBounds bounds{b.i32(0), numKeys, b.i32(0), numKeys};
  if (spec.mask)
    bounds = KeyBoundsReader<GpuBuilder>{
        b,
        // Positions are far from 2^30, so a window may be as long as it likes.
        [&](int64_t n) { return b.i32(std::min<int64_t>(n, 1 << 30)); },
        [&] { return firstPosition; }, [&] { return lastPosition; }, numKeys,
        limits}
                 .of(spec.mask);
  if (spec.causal) {
    bounds.to = b.min(bounds.to, b.add(lastPosition, 1));
    bounds.fullTo = b.min(bounds.fullTo, b.add(firstPosition, 1));
  }
  bounds.from = b.max(bounds.from, oldestKey);
  bounds.to = b.max(b.min(bounds.to, numKeys), bounds.from);
  bounds.fullFrom = b.max(bounds.fullFrom, bounds.from);
  bounds.fullTo = b.min(bounds.fullTo, bounds.to);
  return bounds;
}

//===----------------------------------------------------------------------===//
// Each pair
//===----------------------------------------------------------------------===//

Value GpuAttention::allowed(Attribute tree, const QueryRow &row, Value s) {
  StringRef name = nameOf(tree);
  if (name == "and")
    return b.bitAnd(allowed(childrenOf(tree)[0], row, s),
                    allowed(childrenOf(tree)[1], row, s));
  if (name == "or")
    return b.bitOr(allowed(childrenOf(tree)[0], row, s),
                   allowed(childrenOf(tree)[1], row, s));
  if (name == "not")
    return b.bitXor(allowed(childrenOf(tree)[0], row, s),
                    arith::ConstantIntOp::create(b, 1, 1));
  int64_t number = numberOf(tree);
  if (name == "window") // t < s + n
    return b.less(row.position,
                  b.add(s, b.i32(std::min<int64_t>(number, 1 << 30))));
  if (name == "prefix")
    return b.less(s, b.i32(std::min<int64_t>(number, 1 << 30)));
  if (name == "less_than")
    return b.less(s, limits[number]);
  if (name == "not_before")
    return b.compare(Predicate::sge, s, limits[number]);
  if (name == "same")
    return b.compare(Predicate::eq, row.documents.lookup(number),
                     loadKeyExtra(number, row, s));
  // "true" and "false": a byte each.
  Value truth = loadKeyExtra(number, row, s);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(truth.getType()));
  return b.compare(name == "true" ? Predicate::ne : Predicate::eq, truth, zero);
}

Value GpuAttention::isOpen(const QueryRow &row, Value s) {
  Value open =
      b.bitAnd(b.compare(Predicate::sge, s, loaded.from), b.less(s, loaded.to));
  if (spec.causal)
    open = b.bitAnd(open, b.compare(Predicate::sge, row.position, s));
  if (spec.mask)
    open = b.bitAnd(open, allowed(spec.mask, row, s));
  return open;
}
