//===- AttentionBlocks.cpp - blocks of queries and their scratch ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "AttentionBlocks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace nax;

using Predicate = KernelBuilder::Predicate;

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

BlockScratch::BlockScratch(const AttentionSpec &spec, const BlockTile &tile) {
  // Each part begins on a cache line.
  auto takeBytes = [&](int64_t size) {
    int64_t at = bytes;
    bytes += (size + 63) / 64 * 64;
    return at;
  };
  auto take = [&](int64_t rows, int64_t elementBytes) {
    return takeBytes(rows * tile.queries() * elementBytes);
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
  if (spec.cached())
    for (int64_t extra : spec.keyExtras())
      keys[extra] = takeBytes(tile.rows() * 8);
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
  bindScratch(b.toIndex(slot));
  body();
  callRuntime(b, "naxrt_give_slot", slot, {});
}

void BlockEmitter::bindScratch(Value slot) {
  Value first = b.mul(slot, layout.bytes);
  auto view = [&](int64_t offset, ArrayRef<int64_t> shape, Type element) {
    return b.view(o.scratch, b.add(first, offset),
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
  for (auto [extra, offset] : layout.keys)
    keyRows[extra] = view(offset, tile.rows(), spec.extraElements[extra]);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void BlockEmitter::beginBlock(Value block) {
  beginRow();
  firstQuery = b.mul(block, tile.queries());
  endQuery = b.min(b.add(firstQuery, tile.queries()), numQueries);

  queryLanes.clear();
  Value first = b.broadcast(b.toI32(position(firstQuery)));
  Value last = b.broadcast(b.toI32(position(b.sub(numQueries, b.index(1)))));
  for (int64_t v = 0; v < tile.queryVectors; ++v) {
    Value t = arith::AddIOp::create(b, first, b.iota(v * kLanes));
    queryLanes.push_back(arith::MinSIOp::create(b, t, last));
  }
}

void BlockEmitter::forEachBlock(llvm::function_ref<void()> body) {
  SmallVector<unsigned> dims =
      llvm::to_vector(llvm::seq<unsigned>(0, spec.numBatch));
  Value blocks = b.ceilDiv(callQueries, b.index(tile.queries()));
  Value tasks = b.mul(blocks, extentOf(dims));
  Value chunks = b.min(tasks, b.index(kMaxChunks));
  b.parallel(chunks, [&](Value chunk) {
    withScratch([&] {
      auto [from, to] = b.share(tasks, chunk, chunks);
      b.loop(from, to, 1, [&](Value task) {
        setBatch(dims, b.div(task, blocks));
        beginBlock(b.rem(task, blocks));
        if (!spec.cached())
          return body();
        b.when(b.compare(Predicate::sgt, numQueries, b.index(1)), [&] {
          Value end = b.min(b.add(firstQuery, tile.queries()), callQueries);
          clearResults(b.max(firstQuery, numQueries), end);
          b.when(b.compare(Predicate::slt, firstQuery, numQueries), body);
        });
      });
    });
  });
}

KeyBounds BlockEmitter::blockBounds() {
  for (auto [extra, lanes] : documentLanes)
    b.loop(b.index(0), b.index(tile.queries()), 1, [&](Value lane) {
      b.store(loadExtra(extra, query(lane)), lanes, lane);
    });
  if (spec.alibi)
    slope = negatedSlope();
  return keyBounds();
}

Values BlockEmitter::loadRow(Value memref, Value row) {
  Values vectors;
  for (int64_t v = 0; v < tile.queryVectors; ++v)
    vectors.push_back(b.loadVector(memref, {row, b.index(v * kLanes)}));
  return vectors;
}

void BlockEmitter::storeRow(ValueRange vectors, Value memref, Value row) {
  for (auto [v, vector] : llvm::enumerate(vectors))
    b.storeVector(vector, memref, {row, b.index(int64_t(v) * kLanes)});
}

//===----------------------------------------------------------------------===//
// Extras
//===----------------------------------------------------------------------===//

void BlockEmitter::stage(int64_t extra, Value to, Value tileStart, Value from,
                         Value end) {
  Type element = cast<MemRefType>(to.getType()).getElementType();
  b.loop(b.index(0), b.index(tile.queries()), 1, [&](Value lane) {
    Value t = query(lane);
    b.loop(from, end, 1, [&](Value s) {
      Value value = loadExtra(extra, t, s);
      if (value.getType() != element)
        value = arith::ExtUIOp::create(b, element, value);
      b.store(value, to, {b.sub(s, tileStart), lane});
    });
  });
}

void BlockEmitter::stageExtras(const TileKeys &keys) {
  if (biasTile)
    stage(*spec.bias, biasTile, keys.start, keys.from, keys.to);
  for (auto [extra, memref] : truthTiles)
    stage(extra, memref, keys.start, keys.middle, keys.to);
  for (auto [extra, memref] : keyRows) {
    Value rows = memref; // a structured binding can't be captured
    forEachKeyOf(extra, keys.from, keys.to, [&](Value element, Value s) {
      b.store(element, rows, keys.row(b, s));
    });
  }
}

Value BlockEmitter::ofKey(int64_t extra, Value s, Value row) {
  if (Value rows = keyRows.lookup(extra))
    return b.load(rows, row);
  return spec.keyDim(extra) == spec.numBatch ? loadExtra(extra, s)
                                             : loadExtra(extra, firstQuery, s);
}
