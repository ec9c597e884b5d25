//===- AttentionMask.cpp - which keys a query may read --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A mask is a tree (see nax.kernel.attention). It is read twice: as bounds for
// a block of queries, which say which keys are never loaded and which tiles
// need no mask at all, and as a truth for each lane, in the tiles between.
//
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nax;

using Predicate = KernelBuilder::Predicate;

static StringRef nameOf(Attribute tree) {
  return cast<StringAttr>(cast<ArrayAttr>(tree)[0]).getValue();
}
static int64_t numberOf(Attribute tree) {
  return cast<IntegerAttr>(cast<ArrayAttr>(tree)[1]).getInt();
}

static void collectExtras(Attribute tree, ArrayRef<StringRef> names,
                          SmallVectorImpl<int64_t> &found) {
  StringRef name = nameOf(tree);
  if (name == "and" || name == "or" || name == "not") {
    for (Attribute child : cast<ArrayAttr>(tree).getValue().drop_front())
      collectExtras(child, names, found);
  } else if (llvm::is_contained(names, name) &&
             !llvm::is_contained(found, numberOf(tree))) {
    found.push_back(numberOf(tree));
  }
}

SmallVector<int64_t> AttentionSpec::extrasOf(ArrayRef<StringRef> names) const {
  SmallVector<int64_t> found;
  if (mask)
    collectExtras(mask, names, found);
  return found;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

KeyBounds AttentionEmitter::boundsOf(Attribute tree) {
  Value zero = b.index(0), all = numKeys;
  Value lastQuery = b.sub(endQuery, b.index(1));
  StringRef name = nameOf(tree);
  if (name == "and" || name == "or") {
    KeyBounds x = boundsOf(cast<ArrayAttr>(tree)[1]);
    KeyBounds y = boundsOf(cast<ArrayAttr>(tree)[2]);
    if (name == "and")
      return {b.max(x.from, y.from), b.min(x.to, y.to),
              b.max(x.fullFrom, y.fullFrom), b.min(x.fullTo, y.fullTo)};
    // Two ranges that touch are one; of others the longer is kept.
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
  if (name == "not")
    return complementOf(boundsOf(cast<ArrayAttr>(tree)[1]));
  if (name == "window") {
    Value reach = b.index(numberOf(tree) - 1);
    return {b.sub(firstQuery, reach), all, b.sub(lastQuery, reach), all};
  }
  if (name == "prefix") {
    Value end = b.index(numberOf(tree));
    return {zero, end, zero, end};
  }
  if (name == "less_than") {
    Value end = limits[numberOf(tree)];
    return {zero, end, zero, end};
  }
  if (name == "not_before") {
    Value start = limits[numberOf(tree)];
    return {start, all, start, all};
  }
  return {zero, all, zero, zero}; // known for each key only
}

/// What is open to all in x is hidden from all in its complement, and the
/// reverse. A range in the middle leaves two ends, which are no range.
KeyBounds AttentionEmitter::complementOf(const KeyBounds &x) {
  Value zero = b.index(0), all = numKeys;
  auto beside = [&](Value from, Value to, Value otherFrom, Value otherTo) {
    Value empty = b.compare(Predicate::sge, from, to);
    Value atStart = b.compare(Predicate::sle, from, zero);
    Value atEnd = b.compare(Predicate::sge, to, all);
    Value first = b.select(atStart, to, b.select(atEnd, zero, otherFrom));
    Value last = b.select(atStart, all, b.select(atEnd, from, otherTo));
    return std::pair<Value, Value>(b.select(empty, zero, first),
                                   b.select(empty, all, last));
  };
  auto [from, to] = beside(x.fullFrom, x.fullTo, zero, all);
  auto [fullFrom, fullTo] = beside(x.from, x.to, zero, zero);
  return {from, to, fullFrom, fullTo};
}

KeyBounds AttentionEmitter::keyBounds() {
  for (int64_t extra : spec.extrasOf({"less_than", "not_before"}))
    limits[extra] =
        b.toIndex(b.load(extras[extra], at(spec.extraMaps[extra], firstQuery)));
  for (auto [extra, lanes] : documentLanes)
    b.loop(b.index(0), b.index(tile.queries()), 1, [&](Value lane) {
      Value id = b.load(extras[extra], at(spec.extraMaps[extra], query(lane)));
      b.store(id, lanes, lane);
    });
  if (spec.alibi) {
    int64_t extra = *spec.alibi;
    Value slope = b.load(extras[extra], at(spec.extraMaps[extra], firstQuery));
    negatedSlope = b.broadcast(b.mulf(slope, b.scalar(-M_LOG2E)));
  }

  KeyBounds bounds{b.index(0), numKeys, b.index(0), numKeys};
  if (spec.mask)
    bounds = boundsOf(spec.mask);
  if (spec.causal) {
    bounds.to = b.min(bounds.to, endQuery);
    bounds.fullTo = b.min(bounds.fullTo, b.add(firstQuery, 1));
  }
  bounds.from = b.max(bounds.from, b.index(0));
  // At the end of an empty range, too: loops subtract the one from the other.
  bounds.to = b.max(b.min(bounds.to, numKeys), bounds.from);
  bounds.fullTo = b.min(bounds.fullTo, numKeys);
  return bounds;
}

//===----------------------------------------------------------------------===//
// Each key
//===----------------------------------------------------------------------===//

void AttentionEmitter::stage(int64_t extra, Value to, Value tileStart,
                             Value from, Value end) {
  Type element = cast<MemRefType>(to.getType()).getElementType();
  b.loop(b.index(0), b.index(tile.queries()), 1, [&](Value lane) {
    Value t = query(lane);
    b.loop(from, end, 1, [&](Value s) {
      Value value = b.load(extras[extra], at(spec.extraMaps[extra], t, s));
      if (value.getType() != element)
        value = arith::ExtUIOp::create(b, element, value);
      b.store(value, to, {b.sub(s, tileStart), lane});
    });
  });
}

void AttentionEmitter::stageExtras(Value tileStart, Value from, Value to,
                                   bool full) {
  if (biasTile)
    stage(*spec.bias, biasTile, tileStart, from, to);
  if (!full)
    for (auto [extra, memref] : truthTiles)
      stage(extra, memref, tileStart, from, to);
}

/// One truth for all lanes (i1), or one each (vector<16xi1>). `row` is where
/// the key `s` is in the tile.
Value AttentionEmitter::allowed(Attribute tree, Value s, Value row,
                                int64_t vector) {
  StringRef name = nameOf(tree);
  if (name == "and" || name == "or") {
    Value x = allowed(cast<ArrayAttr>(tree)[1], s, row, vector);
    Value y = allowed(cast<ArrayAttr>(tree)[2], s, row, vector);
    if (x.getType() != y.getType()) {
      x = isa<VectorType>(x.getType()) ? x : b.broadcast(x);
      y = isa<VectorType>(y.getType()) ? y : b.broadcast(y);
    }
    return name == "and" ? b.createOrFold<arith::AndIOp>(x, y)
                         : b.createOrFold<arith::OrIOp>(x, y);
  }
  if (name == "not") {
    Value x = allowed(cast<ArrayAttr>(tree)[1], s, row, vector);
    Value one = arith::ConstantOp::create(b, b.getOneAttr(x.getType()));
    return arith::XOrIOp::create(b, x, one);
  }
  auto compareLanes = [&](Predicate predicate, Value lanes, Value scalar) {
    return arith::CmpIOp::create(b, predicate, lanes, b.broadcast(scalar));
  };
  int64_t number = numberOf(tree);
  if (name == "window") {
    // t < s + n; n may be as large as it likes.
    Value end = b.add(s, std::min<int64_t>(number, 1 << 30));
    return compareLanes(Predicate::slt, queryLanes[vector], b.toI32(end));
  }
  if (name == "prefix")
    return b.compare(Predicate::slt, s, b.index(number));
  if (name == "less_than")
    return b.compare(Predicate::slt, s, limits[number]);
  if (name == "not_before")
    return b.compare(Predicate::sge, s, limits[number]);
  if (name == "same") {
    Value key = b.load(extras[number], at(spec.extraMaps[number], s));
    Value lanes = b.loadVector(documentLanes[number], b.index(vector * kLanes));
    return compareLanes(Predicate::eq, lanes, key);
  }
  // "true" and "false": a byte each.
  Value bytes, zero;
  if (Value staged = truthTiles.lookup(number)) {
    bytes = b.loadVector(staged, {row, b.index(vector * kLanes)});
  } else {
    bytes = b.load(extras[number], at(spec.extraMaps[number], firstQuery, s));
  }
  zero = arith::ConstantOp::create(b, b.getZeroAttr(bytes.getType()));
  return b.createOrFold<arith::CmpIOp>(
      name == "true" ? Predicate::ne : Predicate::eq, bytes, zero);
}

/// The same with the causal rule on top, as lanes; null if there is no mask.
Value AttentionEmitter::allowed(Value s, Value row, int64_t vector) {
  Value truth;
  if (spec.mask) {
    truth = allowed(spec.mask, s, row, vector);
    if (!isa<VectorType>(truth.getType()))
      truth = b.broadcast(truth);
  }
  if (spec.causal) {
    Value past = arith::CmpIOp::create(b, Predicate::sge, queryLanes[vector],
                                       b.broadcast(b.toI32(s)));
    truth = truth ? b.createOrFold<arith::AndIOp>(truth, past) : past;
  }
  return truth;
}
