//===- GpuAttentionRows.cpp - rows, keys and access -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "GpuAttention.h"

#include <cmath>

using namespace mlir;
using namespace nax;

Value GpuAttention::extentOf(ArrayRef<unsigned> dims) {
  Value product = b.i32(1);
  for (unsigned dim : dims)
    product = b.mul(product, o.out.sizes[positionOf(spec.outMap, dim)]);
  return product;
}

void GpuAttention::setBatch(Values &batch, ArrayRef<unsigned> dims,
                            Value number) {
  batch.resize(spec.numBatch);
  for (unsigned dim : llvm::reverse(dims)) {
    Value extent = o.out.sizes[positionOf(spec.outMap, dim)];
    batch[dim] = b.rem(number, extent);
    number = b.div(number, extent);
  }
}

void GpuAttention::beginRow() {
  start = b.i32(0);
  oldestKey = b.i32(0);
  numQueries = callQueries;
  if (!spec.cached()) {
    numKeys = o.k.sizes[positionOf(spec.keyMap, spec.numBatch + 1)];
    return;
  }
  Values bounds = at(spec.spanMap, batch, {});
  bounds.push_back(b.i32(0));
  start = b.load(o.span->at(b, bounds), b.getI32Type());
  bounds.back() = b.i32(1);
  numKeys = b.load(o.span->at(b, bounds), b.getI32Type());
  numQueries = b.sub(numKeys, start);

  auto addCache = [&](const GlobalView &cache, AffineMap map, unsigned dim) {
    Value slots = cache.sizes[positionOf(map, dim)];
    oldestKey = b.max(oldestKey, b.sub(start, b.max(slots, b.i32(1))));
  };
  addCache(*o.keyCache, spec.keyMap, spec.numBatch + 1);
  addCache(*o.valueCache, spec.valueMap, spec.numBatch + 1);
  for (int64_t extra : spec.keyExtras())
    addCache(o.extras[spec.extraCaches[extra]], spec.extraMaps[extra],
             spec.keyDim(extra));
}

void GpuAttention::placeRow(QueryRow &row) {
  row.position = position(row.t);
  for (int64_t extra : spec.extrasOf({"same"}))
    row.documents[extra] = loadExtra(extra, row.batch, row.t);
  if (spec.alibi)
    row.slope = b.mulf(b.toF32(loadExtra(*spec.alibi, row.batch, row.t)),
                       b.f32(-M_LOG2E));
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

Values GpuAttention::at(AffineMap map, const Values &batch, Value t, Value s,
                        Value d, Value e) {
  Value own[] = {t, s, d, e};
  Values indices;
  for (AffineExpr expr : map.getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    indices.push_back(dim < spec.numBatch ? batch[dim]
                                          : own[dim - spec.numBatch]);
  }
  return indices;
}

Value GpuAttention::keyPointer(const GlobalView &newOnes,
                               const GlobalView *cache, AffineMap map,
                               unsigned keyDim, const Values &batch, Value s) {
  bool isDocument = keyDim == spec.numBatch;
  auto pointer = [&](const GlobalView &view, Value number) {
    return view.at(b, isDocument ? at(map, batch, number)
                                 : at(map, batch, {}, number));
  };
  if (!cache)
    return pointer(newOnes, b.sub(s, start));
  // Of the positions that a ring still has, those from the last multiple of
  // its size on are at its beginning.
  Value slots = b.max(cache->sizes[positionOf(map, keyDim)], b.i32(1));
  Value wrap = b.mul(b.div(start, slots), slots);
  Value base = b.select(b.less(s, wrap), b.sub(wrap, slots), wrap);
  return b.select(b.less(s, start), pointer(*cache, b.sub(s, base)),
                  pointer(newOnes, b.sub(s, start)));
}

/// i1 is a byte in memory.
static Type inMemory(GpuBuilder &b, Type type) {
  return type.isInteger(1) ? b.getI8Type() : type;
}

Value GpuAttention::loadExtra(int64_t extra, const Values &batch, Value t,
                              Value s) {
  const GlobalView &view = o.extras[extra];
  return b.load(view.at(b, at(spec.extraMaps[extra], batch, t, s)),
                inMemory(b, view.element()));
}

Value GpuAttention::loadKeyExtra(int64_t extra, const QueryRow &row, Value s) {
  s = b.max(b.min(s, b.sub(loaded.to, b.i32(1))), loaded.from);
  const GlobalView &view = o.extras[extra];
  unsigned keyDim = spec.keyDim(extra);
  if (!spec.extraMaps[extra].isFunctionOfDim(keyDim) ||
      spec.extraCaches[extra] < 0) {
    Value number = b.sub(s, start);
    return keyDim == spec.numBatch ? loadExtra(extra, row.batch, number)
                                   : loadExtra(extra, row.batch, row.t, number);
  }
  Value pointer = keyPointer(view, &o.extras[spec.extraCaches[extra]],
                             spec.extraMaps[extra], keyDim, row.batch, s);
  return b.load(pointer, inMemory(b, view.element()));
}

bool GpuAttention::isAdjacent(const GlobalView &view, AffineMap map,
                              unsigned dim) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return positionOf(map, dim) + 1 == map.getNumResults() &&
         succeeded(view.type.getStridesAndOffset(strides, offset)) &&
         strides.back() == 1;
}

SourceColumns GpuAttention::columnsOf(const GlobalView &view,
                                      const GlobalView *cache, AffineMap map,
                                      unsigned dim, int64_t count) {
  auto bytesOf = [&](const GlobalView &view) {
    return isAdjacent(view, map, dim)
               ? alignedBytes(view.type)
               : int64_t(view.element().getIntOrFloatBitWidth() / 8);
  };
  int64_t bytes = bytesOf(view);
  if (cache)
    bytes = std::min(bytes, bytesOf(*cache));
  return {b.i32(0), count, view.strides[positionOf(map, dim)], bytes};
}
