//===- AttentionMask.cpp - which keys a query may read --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A mask is a tree (see nax.kernel.attention). It is read twice: as bounds for
// some queries, which say which keys are never loaded and which tiles need no
// mask at all, and as a truth for each lane, in the tiles between.
//
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"

#include "nax/Conversion/MathBuilder.h"

using namespace mlir;
using namespace nax;

using Predicate = KernelBuilder::Predicate;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

KeyBounds AttentionEmitter::keyBounds() {
  for (int64_t extra : spec.extrasOf({"less_than", "not_before"})) {
    // No key is on the other side of what is cut off.
    Value limit = b.toIndex(loadExtra(extra, firstQuery));
    limits[extra] = b.max(b.min(limit, numKeys), b.index(0));
  }
  KeyBounds bounds{b.index(0), numKeys, b.index(0), numKeys};
  if (spec.mask)
    bounds = KeyBoundsReader<KernelBuilder>{
        b,
        [&](int64_t n) { return b.index(n); },
        [&] { return position(firstQuery); },
        [&] { return position(b.sub(endQuery, b.index(1))); },
        numKeys,
        limits}
                 .of(spec.mask);
  if (spec.causal) {
    bounds.to = b.min(bounds.to, position(endQuery));
    bounds.fullTo = b.min(bounds.fullTo, b.add(position(firstQuery), 1));
  }
  bounds.from = b.max(bounds.from, oldestKey ? oldestKey : b.index(0));
  // At the end of an empty range, too: loops subtract the one from the other.
  bounds.to = b.max(b.min(bounds.to, numKeys), bounds.from);
  bounds.fullTo = b.min(bounds.fullTo, numKeys);
  return bounds;
}

//===----------------------------------------------------------------------===//
// Each key
//===----------------------------------------------------------------------===//

Value AttentionEmitter::compare(Predicate predicate, Value x, Value y) {
  if (x.getType() != y.getType()) {
    x = isa<VectorType>(x.getType()) ? x : b.broadcast(x);
    y = isa<VectorType>(y.getType()) ? y : b.broadcast(y);
  }
  return b.compare(predicate, x, y);
}

Value AttentionEmitter::allowed(Attribute tree, const Pairs &pairs) {
  StringRef name = nameOf(tree);
  if (name == "and" || name == "or") {
    Value x = allowed(cast<ArrayAttr>(tree)[1], pairs);
    Value y = allowed(cast<ArrayAttr>(tree)[2], pairs);
    if (x.getType() != y.getType()) {
      x = isa<VectorType>(x.getType()) ? x : b.broadcast(x);
      y = isa<VectorType>(y.getType()) ? y : b.broadcast(y);
    }
    return name == "and" ? b.createOrFold<arith::AndIOp>(x, y)
                         : b.createOrFold<arith::OrIOp>(x, y);
  }
  if (name == "not") {
    Value x = allowed(cast<ArrayAttr>(tree)[1], pairs);
    Value one = arith::ConstantOp::create(b, b.getOneAttr(x.getType()));
    return arith::XOrIOp::create(b, x, one);
  }
  auto i32 = [&](int64_t value) {
    return emitSplat(b, b.getLoc(), b.getI32Type(), value);
  };
  int64_t number = numberOf(tree);
  // Positions are far from 2^30, so n may be as large as it likes.
  Value n = i32(std::min<int64_t>(number, 1 << 30));
  if (name == "window") {
    // t < s + n, in the form that leaves an addition of scalars.
    if (!isa<VectorType>(pairs.s.getType()))
      return compare(Predicate::slt, pairs.t,
                     b.createOrFold<arith::AddIOp>(pairs.s, n));
    Value end = b.createOrFold<arith::SubIOp>(pairs.t, n);
    return compare(Predicate::sgt, pairs.s, end);
  }
  if (name == "prefix")
    return compare(Predicate::slt, pairs.s, n);
  if (name == "less_than")
    return compare(Predicate::slt, pairs.s, b.toI32(limits[number]));
  if (name == "not_before")
    return compare(Predicate::sge, pairs.s, b.toI32(limits[number]));
  if (name == "same") {
    auto [x, y] = pairs.documents(number);
    return compare(Predicate::eq, x, y);
  }
  // "true" and "false": a byte each.
  Value truth = pairs.truth(number);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(truth.getType()));
  return b.createOrFold<arith::CmpIOp>(
      name == "true" ? Predicate::ne : Predicate::eq, truth, zero);
}
