//===- AttentionEmitter.cpp - blocks of queries and their scratch ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"

#include "nax/Conversion/ExpandKernels.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace nax;

/// The extent of `memref` along dimension `dim` of the maps, as a position.
static unsigned positionOf(AffineMap map, unsigned dim) {
  return *map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
}
static int64_t staticSize(Value memref, AffineMap map, unsigned dim) {
  return cast<MemRefType>(memref.getType()).getDimSize(positionOf(map, dim));
}

template <typename Op>
static AttentionSpec commonSpec(Op op) {
  AttentionSpec spec;
  spec.queryMap = op.getQMap();
  spec.keyMap = op.getKMap();
  spec.outMap = op.getOutMap();
  for (Attribute map : op.getExtraMaps())
    spec.extraMaps.push_back(cast<AffineMapAttr>(map).getValue());
  for (Value extra : op.getExtras())
    spec.extraElements.push_back(
        cast<MemRefType>(extra.getType()).getElementType());
  spec.numBatch = op.getNumBatch();
  spec.scale = op.getScale().convertToDouble();
  if (op.getCap())
    spec.cap = op.getCap()->convertToDouble();
  if (op.getBias())
    spec.bias = *op.getBias();
  if (op.getAlibi())
    spec.alibi = *op.getAlibi();
  spec.causal = op.getCausal();
  spec.mask = op.getMaskAttr();
  spec.components = staticSize(op.getQ(), spec.queryMap, spec.numBatch + 2);
  return spec;
}

AttentionSpec AttentionSpec::get(kernel::AttentionOp op) {
  AttentionSpec spec = commonSpec(op);
  spec.valueMap = op.getVMap();
  spec.valueComponents =
      staticSize(op.getV(), spec.valueMap, spec.numBatch + 3);
  return spec;
}

AttentionSpec AttentionSpec::get(kernel::AttentionWeightsOp op) {
  return commonSpec(op);
}

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

AttentionScratch::AttentionScratch(const AttentionSpec &spec,
                                   const AttentionTile &tile) {
  // Each part begins on a cache line.
  auto take = [&](int64_t rows, int64_t elementBytes) {
    int64_t at = bytes;
    bytes += (rows * tile.queries() * elementBytes + 63) / 64 * 64;
    return at;
  };
  queries = take(spec.components, 4);
  scores = take(tile.rows(), 4);
  outputs = take(spec.valueComponents, 4);
  maxima = take(1, 4);
  sums = take(1, 4);
  if (spec.bias && spec.dependsOnQuery(*spec.bias))
    bias = take(tile.rows(), 4);
  for (int64_t extra : spec.extrasOf({"true", "false"}))
    if (spec.dependsOnQuery(extra))
      truths[extra] = take(tile.rows(), 1);
  for (int64_t extra : spec.extrasOf({"same"}))
    documents[extra] = take(1, 8);
}

int64_t nax::kernelScratchBytes(Operation *op) {
  std::optional<AttentionSpec> spec;
  if (auto attention = dyn_cast<kernel::AttentionOp>(op))
    spec = AttentionSpec::get(attention);
  else if (auto weights = dyn_cast<kernel::AttentionWeightsOp>(op))
    spec = AttentionSpec::get(weights);
  else
    return 0;
  int64_t bytes = 0;
  for (StringRef level : {"v3", "v4"})
    bytes = std::max(bytes, AttentionScratch(*spec, AttentionTile::get(
                                                        *CpuTarget::get(level)))
                                .bytes);
  return bytes * kMaxChunks;
}

AttentionEmitter::AttentionEmitter(KernelBuilder &b, const AttentionSpec &spec,
                                   const AttentionTile &tile, Value q, Value k,
                                   Value v, Value out, ValueRange extras,
                                   Value scratch)
    : b(b), spec(spec), tile(tile), q(q), k(k), v(v), out(out), extras(extras),
      scratchBytes(scratch), layout(spec, tile) {
  numQueries = b.dim(q, positionOf(spec.queryMap, spec.numBatch));
  numKeys = b.dim(k, positionOf(spec.keyMap, spec.numBatch + 1));
}

void AttentionEmitter::bindScratch(Value chunk) {
  Value start = b.mul(chunk, layout.bytes);
  auto view = [&](int64_t offset, ArrayRef<int64_t> shape, Type element) {
    return b.view(scratchBytes, b.add(start, offset),
                  MemRefType::get(shape, element));
  };
  int64_t lanes = tile.queries();
  Type f32 = b.getF32Type();
  queries = view(layout.queries, {spec.components, lanes}, f32);
  scores = view(layout.scores, {tile.rows(), lanes}, f32);
  if (spec.valueComponents)
    outputs = view(layout.outputs, {spec.valueComponents, lanes}, f32);
  maxima = view(layout.maxima, {1, lanes}, f32);
  sums = view(layout.sums, {1, lanes}, f32);
  if (layout.bias >= 0)
    biasTile = view(layout.bias, {tile.rows(), lanes}, f32);
  for (auto [extra, offset] : layout.truths)
    truthTiles[extra] = view(offset, {tile.rows(), lanes}, b.getI8Type());
  for (auto [extra, offset] : layout.documents)
    documentLanes[extra] = view(offset, lanes, spec.extraElements[extra]);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void AttentionEmitter::beginBlock(Value task, Value blocks) {
  Value block = b.rem(task, blocks);
  Value rest = b.div(task, blocks);
  batch.assign(spec.numBatch, Value());
  for (int64_t i = int64_t(spec.numBatch) - 1; i >= 0; --i) {
    Value extent = b.dim(out, positionOf(spec.outMap, i));
    batch[i] = b.rem(rest, extent);
    rest = b.div(rest, extent);
  }
  firstQuery = b.mul(block, tile.queries());
  endQuery = b.min(b.add(firstQuery, tile.queries()), numQueries);

  queryLanes.clear();
  Value first = b.broadcast(b.toI32(firstQuery));
  Value last = b.broadcast(b.toI32(b.sub(numQueries, b.index(1))));
  for (int64_t v = 0; v < tile.queryVectors; ++v) {
    Value t = arith::AddIOp::create(b, first, b.iota(v * kLanes));
    queryLanes.push_back(arith::MinSIOp::create(b, t, last));
  }
}

void AttentionEmitter::forEachBlock(llvm::function_ref<void()> body) {
  Value blocks = b.ceilDiv(numQueries, b.index(tile.queries()));
  Value tasks = blocks;
  for (unsigned i = 0; i < spec.numBatch; ++i)
    tasks = b.mul(tasks, b.dim(out, positionOf(spec.outMap, i)));
  Value chunks = b.min(tasks, b.index(kMaxChunks));
  b.parallel(chunks, [&](Value chunk) {
    bindScratch(chunk);
    auto [from, to] = b.share(tasks, chunk, chunks);
    b.loop(from, to, 1, [&](Value task) {
      beginBlock(task, blocks);
      body();
    });
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

bool AttentionEmitter::isAdjacent(Value memref, AffineMap map, unsigned dim) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto type = cast<MemRefType>(memref.getType());
  return positionOf(map, dim) + 1 == map.getNumResults() &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         strides.back() == 1;
}

Values AttentionEmitter::loadRow(Value memref, Value row) {
  Values vectors;
  for (int64_t v = 0; v < tile.queryVectors; ++v)
    vectors.push_back(b.loadVector(memref, {row, b.index(v * kLanes)}));
  return vectors;
}

void AttentionEmitter::storeRow(ValueRange vectors, Value memref, Value row) {
  for (auto [v, vector] : llvm::enumerate(vectors))
    b.storeVector(vector, memref, {row, b.index(int64_t(v) * kLanes)});
}
