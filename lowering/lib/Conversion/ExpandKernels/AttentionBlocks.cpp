//===- AttentionBlocks.cpp - units, blocks of queries and their scratch ---===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "AttentionBlocks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace nax;

using Predicate = KernelBuilder::Predicate;

/// Blocks are put together while there are as many units left, so that threads
/// have something to do.
static constexpr int64_t kLeastUnits = 8;
static constexpr int64_t kMostBlocks = 16;
/// Of queries and outputs of a unit: a share of the second cache.
static constexpr int64_t kMostStateBytes = 272 << 10;

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

BlockScratch::BlockScratch(const AttentionSpec &spec, const BlockTile &tile) {
  // Each part begins on a cache line.
  auto take = [](int64_t &end, int64_t size) {
    int64_t at = end;
    end += (size + 63) / 64 * 64;
    return at;
  };
  int64_t lanes = tile.queries();
  queries = take(stateBytes, spec.components * lanes * 4);
  outputs = take(stateBytes, spec.valueComponents * lanes * 4);
  int64_t most = kMostStateBytes / stateBytes;
  blocks = std::clamp<int64_t>(most, 1, kMostBlocks);
  maxima = take(stateBytes, lanes * 4);
  sums = take(stateBytes, lanes * 4);
  for (int64_t extra : spec.extrasOf({"same"}))
    documents[extra] = take(stateBytes, lanes * 8);

  auto padded = [](int64_t count, int64_t unit) {
    return (count + unit - 1) / unit * unit;
  };
  keyRow = padded(spec.components, kLanes);
  valueRow = padded(spec.valueComponents, std::lcm(kLanes, tile.components));
  keys = take(bytes, tile.blockKeys * keyRow * 4);
  values = take(bytes, tile.blockKeys * valueRow * 4);
  scores = take(bytes, tile.rows() * lanes * 4);
  if (spec.bias && spec.dependsOnQuery(*spec.bias))
    bias = take(bytes, tile.rows() * lanes * 4);
  for (int64_t extra : spec.extrasOf({"true", "false"}))
    if (spec.dependsOnQuery(extra))
      truths[extra] = take(bytes, tile.rows() * lanes);
  if (spec.cached())
    for (int64_t extra : spec.keyExtras())
      keyExtras[extra] = take(bytes, tile.rows() * 8);
  states = take(bytes, blocks * stateBytes);
}

/// The result of a function of the runtime that takes the context first.
static ValueRange callRuntime(KernelBuilder &b, StringRef name, ValueRange args,
                              TypeRange results) {
  auto caller = b.getInsertionBlock()
                    ->getParentOp()
                    ->getParentOfType<FunctionOpInterface>();
  Values operands{caller.getArgument(0)};
  llvm::append_range(operands, args);
  auto module = caller->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = b.getFunctionType(TypeRange(ValueRange(operands)), results);
    func::FuncOp::create(b, name, type).setPrivate();
  }
  return func::CallOp::create(b, name, results, operands).getResults();
}

void BlockEmitter::withScratch(llvm::function_ref<void()> body) {
  Value slot = callRuntime(b, "naxrt_take_slot", {}, b.getI64Type())[0];
  scratchAt = b.mul(b.toIndex(slot), layout.bytes);
  bindTile();
  body();
  callRuntime(b, "naxrt_give_slot", slot, {});
}

Value BlockEmitter::viewAt(Value offset, ArrayRef<int64_t> shape,
                           Type element) {
  return b.view(o.scratch, b.add(scratchAt, offset),
                MemRefType::get(shape, element));
}

void BlockEmitter::bindTile() {
  auto view = [&](int64_t offset, ArrayRef<int64_t> shape, Type element) {
    return viewAt(b.index(offset), shape, element);
  };
  int64_t lanes = tile.queries();
  Type f32 = b.getF32Type();
  keys = view(layout.keys, {tile.blockKeys, layout.keyRow}, f32);
  if (spec.valueComponents) {
    values = view(layout.values, {tile.blockKeys, layout.valueRow}, f32);
    panels = view(
        layout.values,
        {tile.blockKeys, layout.valueRow / tile.components, tile.components},
        f32);
  }
  scores = view(layout.scores, {tile.rows(), lanes}, f32);
  if (layout.bias >= 0)
    biasTile = view(layout.bias, {tile.rows(), lanes}, f32);
  for (auto [extra, offset] : layout.truths)
    truthTiles[extra] = view(offset, {tile.rows(), lanes}, b.getI8Type());
  for (auto [extra, offset] : layout.keyExtras)
    keyRows[extra] = view(offset, tile.rows(), spec.extraElements[extra]);
}

void BlockEmitter::bindState(Value block) {
  Value state =
      b.add(b.mul(b.sub(block, firstBlock), layout.stateBytes), layout.states);
  auto view = [&](int64_t offset, ArrayRef<int64_t> shape, Type element) {
    return viewAt(b.add(state, offset), shape, element);
  };
  int64_t lanes = tile.queries();
  Type f32 = b.getF32Type();
  queries = view(layout.queries, {spec.components, lanes}, f32);
  if (spec.valueComponents)
    outputs = view(layout.outputs, {spec.valueComponents, lanes}, f32);
  maxima = view(layout.maxima, {1, lanes}, f32);
  sums = view(layout.sums, {1, lanes}, f32);
  for (auto [extra, offset] : layout.documents)
    documentLanes[extra] = view(offset, lanes, spec.extraElements[extra]);
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

void BlockEmitter::forEachUnit(llvm::function_ref<void()> body) {
  // Blocks of the queries that have a head's keys, those of a group side by
  // side: they read the same keys.
  auto blocksOf = [&](Value queries) {
    return b.mul(b.ceilDiv(queries, b.index(tile.queries())), spec.groupSize());
  };
  Value heads = extentOf(spec.headDims), blocks = blocksOf(callQueries);
  // No division by a number of the call: that may be done for no query, too.
  Value least = b.index(1);
  for (int64_t n = 1; n < kLeastUnits; n *= 2)
    least = b.select(
        b.compare(Predicate::slt, b.mul(heads, n), b.index(kLeastUnits)),
        b.index(2 * n), least);
  Value parts =
      b.max(b.ceilDiv(blocks, b.index(layout.blocks)), b.min(blocks, least));
  Value units = b.mul(parts, heads);
  Value chunks = b.min(units, b.index(kMaxChunks));
  b.parallel(chunks, [&](Value chunk) {
    withScratch([&] {
      auto [from, to] = b.share(units, chunk, chunks);
      b.loop(from, to, 1, [&](Value unit) {
        // Heads of one row lie in the same pages of memory. Where later queries
        // have more to do, they come first, so that threads end together.
        setBatch(spec.headDims, b.rem(unit, heads));
        beginRow();
        Value part = b.div(unit, heads);
        if (spec.causal)
          part = b.sub(b.sub(parts, b.index(1)), part);
        std::tie(firstBlock, endBlock) = b.share(blocks, part, parts);
        auto attend = [&] {
          beginUnit();
          body();
        };
        if (!spec.cached())
          return attend();
        b.when(b.compare(Predicate::sgt, numQueries, b.index(1)), [&] {
          forEachBlock([&] {
            Value end = b.min(b.add(firstQuery, tile.queries()), callQueries);
            clearResults(b.max(firstQuery, numQueries), end);
          });
          endBlock = b.min(endBlock, blocksOf(numQueries));
          attend();
        });
      });
    });
  });
}

void BlockEmitter::beginUnit() {
  Values keys = b.loop(firstBlock, endBlock, 1, ValueRange{numKeys, b.index(0)},
                       [&](Value number, ValueRange carried) {
                         beginBlock(number);
                         KeyBounds bounds = blockBounds();
                         return Values{b.min(carried[0], bounds.from),
                                       b.max(carried[1], bounds.to)};
                       });
  firstKey = keys[0];
  endKey = b.min(keys[1], numKeys); // an empty range may lie behind all keys
  Value groups = b.mul(b.sub(endBlock, firstBlock), tile.groups());
  fetchedKeys = b.ceilDiv(b.index(tile.blockKeys), b.max(groups, b.index(1)));
}

void BlockEmitter::beginState() {
  Value zero = b.index(0);
  stageQueries();
  storeRow(splats(std::numeric_limits<float>::lowest()), maxima, zero);
  storeRow(splats(0.0), sums, zero);
  if (spec.valueComponents)
    b.loop(zero, b.index(spec.valueComponents), 1,
           [&](Value component) { storeRow(splats(0.0), outputs, component); });
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void BlockEmitter::forEachBlock(llvm::function_ref<void()> body) {
  b.loop(firstBlock, endBlock, 1, [&](Value block) {
    beginBlock(block);
    body();
  });
}

void BlockEmitter::beginBlock(Value number) {
  block = number;
  Value group = b.index(spec.groupSize());
  setBatch(spec.groupDims, b.rem(block, group));
  bindState(block);
  firstQuery = b.mul(b.div(block, group), tile.queries());
  endQuery = b.min(b.add(firstQuery, tile.queries()), numQueries);

  queryLanes.clear();
  Value first = b.broadcast(b.toI32(position(firstQuery)));
  Value last = b.broadcast(b.toI32(position(b.sub(numQueries, b.index(1)))));
  for (int64_t v = 0; v < tile.queryVectors; ++v) {
    Value t = arith::AddIOp::create(b, first, b.iota(v * kLanes));
    queryLanes.push_back(arith::MinSIOp::create(b, t, last));
  }
}

KeyBounds BlockEmitter::blockBounds() {
  if (spec.alibi)
    slope = negatedSlope();
  return keyBounds();
}

TileKeys BlockEmitter::tileOf(const KeyBounds &bounds, Value start) {
  int64_t unit = std::lcm(tile.keys, BlockTile::weighedKeys);
  Value from = b.max(start, bounds.from);
  Value to = b.min(b.add(start, tile.blockKeys), bounds.to);
  Value open = b.sub(b.min(to, bounds.fullTo), from);
  open = b.select(b.compare(Predicate::sge, from, bounds.fullFrom), open,
                  b.index(0));
  open = b.mul(b.div(b.max(open, b.index(0)), b.index(unit)), unit);
  Value middle = b.add(from, open);
  TileKeys keys{start,
                from,
                to,
                b.compare(Predicate::sle, start, bounds.from),
                b.compare(Predicate::eq, to, bounds.to),
                {{from, middle, 0, /*open=*/true}}};
  // Keys that are past for the last vector's queries alone.
  int64_t last = tile.queryVectors - 1;
  Value late = to;
  if (spec.causal && spec.valueComponents && last > 0)
    late = b.min(b.max(b.add(position(firstQuery), last * kLanes), middle), to);
  keys.parts.push_back({middle, late, 0, /*open=*/false});
  if (late != to)
    keys.parts.push_back({late, to, last, /*open=*/false});
  return keys;
}

void BlockEmitter::forEachTile(
    bool begins, llvm::function_ref<void(const TileKeys &)> body) {
  Value step = b.index(tile.blockKeys);
  Value first = b.mul(b.div(firstKey, step), step);
  b.loop(first, endKey, tile.blockKeys, [&](Value start) {
    stageKeys(start, b.max(start, firstKey), b.min(b.add(start, step), endKey));
    forEachBlock([&] {
      TileKeys keys = tileOf(blockBounds(), start);
      b.when(b.compare(Predicate::slt, keys.from, keys.to), [&] {
        if (begins)
          b.when(keys.isFirst, [&] { beginState(); });
        body(keys);
      });
    });
  });
}

Values BlockEmitter::loadRow(Value memref, Value row, int64_t vector) {
  Values vectors;
  for (int64_t v = vector; v < tile.queryVectors; ++v)
    vectors.push_back(b.loadVector(memref, {row, b.index(v * kLanes)}));
  return vectors;
}

void BlockEmitter::storeRow(ValueRange vectors, Value memref, Value row,
                            int64_t vector) {
  for (auto [v, value] : llvm::enumerate(vectors))
    b.storeVector(value, memref,
                  {row, b.index((vector + int64_t(v)) * kLanes)});
}
