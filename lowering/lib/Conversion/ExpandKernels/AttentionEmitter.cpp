//===- AttentionEmitter.cpp - rows, runs of keys and access ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace nax;

using Predicate = KernelBuilder::Predicate;

AttentionEmitter::AttentionEmitter(KernelBuilder &b, const AttentionSpec &spec,
                                   const AttentionOperands &operands)
    : b(b), spec(spec), o(operands) {
  callQueries = b.dim(o.q, positionOf(spec.queryMap, spec.numBatch));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Value AttentionEmitter::extentOf(ArrayRef<unsigned> dims) {
  Value product = b.index(1);
  for (unsigned dim : dims)
    product = b.mul(product, b.dim(o.out, positionOf(spec.outMap, dim)));
  return product;
}

void AttentionEmitter::setBatch(ArrayRef<unsigned> dims, Value number) {
  batch.resize(spec.numBatch);
  for (unsigned dim : llvm::reverse(dims)) {
    Value extent = b.dim(o.out, positionOf(spec.outMap, dim));
    batch[dim] = b.rem(number, extent);
    number = b.div(number, extent);
  }
}

void AttentionEmitter::beginRow() {
  if (!spec.cached()) {
    start = b.index(0);
    numQueries = callQueries;
    numKeys = b.dim(o.k, positionOf(spec.keyMap, spec.numBatch + 1));
    return;
  }
  SmallVector<Value> bounds = at(spec.spanMap, {});
  bounds.push_back(b.index(0));
  start = b.toIndex(b.load(o.span, bounds));
  bounds.back() = b.index(1);
  numKeys = b.toIndex(b.load(o.span, bounds));
  numQueries = b.sub(numKeys, start);

  oldestKey = b.index(0);
  auto addRing = [&](Value cache, AffineMap map, unsigned dim) {
    Value slots = b.max(b.dim(cache, positionOf(map, dim)), b.index(1));
    rings[cache] = {slots, b.mul(b.div(start, slots), slots)};
    oldestKey = b.max(oldestKey, b.sub(start, slots));
  };
  addRing(o.keyCache, spec.keyMap, spec.numBatch + 1);
  addRing(o.valueCache, spec.valueMap, spec.numBatch + 1);
  for (int64_t extra : spec.keyExtras())
    addRing(o.extras[spec.extraCaches[extra]], spec.extraMaps[extra],
            spec.keyDim(extra));
}

void AttentionEmitter::clearResults(Value from, Value to) {
  b.loop(from, to, 1, [&](Value t) {
    b.loop(b.index(0), b.index(spec.valueComponents), 1, [&](Value component) {
      b.store(b.scalar(0.0), o.out, at(spec.outMap, t, {}, {}, component));
    });
  });
}

//===----------------------------------------------------------------------===//
// Runs of keys
//===----------------------------------------------------------------------===//

/// The type that both can be cast to, with the strides that they agree in.
static MemRefType commonType(MemRefType x, MemRefType y) {
  auto both = [](int64_t i, int64_t j) {
    return i == j ? i : ShapedType::kDynamic;
  };
  SmallVector<int64_t> shape, strides, xStrides, yStrides;
  int64_t xOffset, yOffset;
  (void)x.getStridesAndOffset(xStrides, xOffset);
  (void)y.getStridesAndOffset(yStrides, yOffset);
  for (int64_t i = 0; i < x.getRank(); ++i) {
    shape.push_back(both(x.getDimSize(i), y.getDimSize(i)));
    strides.push_back(both(xStrides[i], yStrides[i]));
  }
  return MemRefType::get(
      shape, x.getElementType(),
      StridedLayoutAttr::get(x.getContext(), both(xOffset, yOffset), strides));
}

Values AttentionEmitter::forEachRun(
    Value newOnes, Value cache, Value from, Value to, ValueRange init,
    llvm::function_ref<Values(const KeyRun &, Values)> body) {
  if (!cache)
    return body({newOnes, from, to, b.index(0)}, Values(init));
  Ring ring = rings.lookup(cache);
  MemRefType type = commonType(cast<MemRefType>(newOnes.getType()),
                               cast<MemRefType>(cache.getType()));
  newOnes = b.createOrFold<memref::CastOp>(type, newOnes);
  Value slots = b.createOrFold<memref::CastOp>(type, cache);
  return b.loop(
      b.index(0), b.index(3), 1, init, [&](Value part, ValueRange carried) {
        Value isOld = b.compare(Predicate::eq, part, b.index(0));
        Value isNew = b.compare(Predicate::eq, part, b.index(2));
        auto choose = [&](Value old, Value recent, Value last) {
          return b.select(isNew, last, b.select(isOld, old, recent));
        };
        Value low = b.max(from, choose(from, ring.wrap, start));
        Value high = b.min(to, choose(ring.wrap, start, to));
        Value base = choose(b.sub(ring.wrap, ring.slots), ring.wrap, start);
        return body(
            {b.select(isNew, newOnes, slots), low, b.max(high, low), base},
            Values(carried));
      });
}

void AttentionEmitter::forEachKeyOf(
    int64_t extra, Value from, Value to,
    llvm::function_ref<void(Value, Value)> body) {
  Value cache =
      spec.extraCaches[extra] < 0 ? Value() : o.extras[spec.extraCaches[extra]];
  AffineMap map = spec.extraMaps[extra];
  bool isDocument = spec.keyDim(extra) == spec.numBatch;
  forEachRun(o.extras[extra], cache, from, to, {},
             [&](const KeyRun &run, Values) {
               b.loop(run.from, run.to, 1, [&](Value s) {
                 Value key = b.sub(s, run.base);
                 body(b.load(run.memref, isDocument ? at(map, key)
                                                    : at(map, firstQuery, key)),
                      s);
               });
               return Values();
             });
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

SmallVector<Value> AttentionEmitter::at(AffineMap map, Value t, Value s,
                                        Value d, Value e) {
  Value own[] = {t, s, d, e};
  SmallVector<Value> indices;
  for (AffineExpr expr : map.getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    indices.push_back(dim < spec.numBatch ? batch[dim]
                                          : own[dim - spec.numBatch]);
  }
  return indices;
}

Value AttentionEmitter::loadExtra(int64_t extra, Value t, Value s) {
  return b.load(o.extras[extra], at(spec.extraMaps[extra], t, s));
}

bool AttentionEmitter::isAdjacent(Value memref, AffineMap map, unsigned dim) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto type = cast<MemRefType>(memref.getType());
  return positionOf(map, dim) + 1 == map.getNumResults() &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         strides.back() == 1;
}
