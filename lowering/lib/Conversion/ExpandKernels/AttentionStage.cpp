//===- AttentionStage.cpp - what blocks read, where they read it fast -----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "AttentionBlocks.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <cmath>

using namespace mlir;
using namespace nax;

//===----------------------------------------------------------------------===//
// Queries, keys and values
//===----------------------------------------------------------------------===//

void BlockEmitter::stageQueries() {
  bool adjacent = isAdjacent(o.q, spec.queryMap, spec.numBatch + 2);
  double scale = spec.scale * M_LOG2E;
  int64_t d = spec.components, rest = adjacent ? d % kLanes : d;
  auto turn = [&](int64_t v, Value component, int64_t lanes) {
    Values rows;
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      Value t = query(b.index(v * kLanes + lane));
      Value row = b.loadLanes(o.q, at(spec.queryMap, t, {}, component), lanes);
      rows.push_back(b.mulf(row, b.splat(scale)));
    }
    rows = b.transpose(rows);
    for (int64_t i = 0; i < lanes; ++i)
      b.storeVector(rows[i], queries,
                    {b.add(component, i), b.index(v * kLanes)});
  };
  for (int64_t v = 0; v < tile.queryVectors; ++v) {
    b.loop(b.index(0), b.index(d - rest), kLanes,
           [&](Value component) { turn(v, component, kLanes); });
    if (adjacent && rest)
      turn(v, b.index(d - rest), rest);
  }
  b.loop(b.index(0), b.index(tile.queries()), 1, [&](Value lane) {
    Value t = query(lane);
    if (!adjacent)
      b.loop(b.index(0), b.index(d), 1, [&](Value component) {
        Value x = b.load(o.q, at(spec.queryMap, t, {}, component));
        b.store(b.mulf(x, b.scalar(scale)), queries, {component, lane});
      });
    for (auto [extra, lanes] : documentLanes)
      b.store(loadExtra(extra, t), lanes, lane);
  });
}

void BlockEmitter::stageRows(
    Value newOnes, Value cache, bool isAdjacent, int64_t count,
    llvm::function_ref<SmallVector<Value>(Value, Value)> where, Value rows,
    Value tileStart, Value from, Value to) {
  int64_t rest = isAdjacent ? count % kLanes : count;
  auto stageRow = [&](const KeyRun &run, Value s) {
    Value row = b.sub(s, tileStart), number = b.sub(s, run.base);
    auto copy = [&](Value first, int64_t lanes) {
      Value part = b.loadLanes(run.memref, where(number, first), lanes);
      b.storeVector(part, rows, {row, first});
    };
    b.loop(b.index(0), b.index(count - rest), kLanes,
           [&](Value first) { copy(first, kLanes); });
    if (isAdjacent && rest)
      return copy(b.index(count - rest), rest);
    b.loop(b.index(0), b.index(rest), 1, [&](Value i) {
      b.store(b.load(run.memref, where(number, i)), rows, {row, i});
    });
  };
  forEachRun(newOnes, cache, from, to, {}, [&](const KeyRun &run, Values) {
    b.loop(run.from, run.to, 1, [&](Value s) { stageRow(run, s); });
    return Values();
  });
}

void BlockEmitter::stageKeys(Value tileStart, Value from, Value to) {
  stageRows(
      o.k, o.keyCache, isAdjacent(o.k, spec.keyMap, spec.numBatch + 2),
      spec.components,
      [&](Value s, Value d) { return at(spec.keyMap, {}, s, d); }, keys,
      tileStart, from, to);
  if (spec.valueComponents)
    stageRows(
        o.v, o.valueCache, isAdjacent(o.v, spec.valueMap, spec.numBatch + 3),
        spec.valueComponents,
        [&](Value s, Value e) { return at(spec.valueMap, {}, s, {}, e); },
        values, tileStart, from, to);
}

//===----------------------------------------------------------------------===//
// Ahead of time
//===----------------------------------------------------------------------===//

void BlockEmitter::fetchRows(
    Value memref, int64_t count, Value first, Value rows,
    llvm::function_ref<SmallVector<Value>(Value, Value)> where) {
  b.loop(first, b.add(first, rows), 1, [&](Value row) {
    for (int64_t i = 0; i < count; i += kLanes)
      memref::PrefetchOp::create(b, memref, where(row, b.index(i)),
                                 /*isWrite=*/false, /*localityHint=*/2,
                                 /*isDataCache=*/true);
  });
}

void BlockEmitter::fetchAhead(Value group, const TileKeys &tileKeys) {
  if (!spec.valueComponents)
    return;
  // Rows past the end are not read, only asked for.
  Value turn = b.div(tileKeys.row(b, group), b.index(tile.keys));
  Value share = b.add(b.mul(b.sub(block, firstBlock), tile.groups()), turn);
  Value key = b.sub(
      b.add(b.add(tileKeys.start, tile.blockKeys), b.mul(share, fetchedKeys)),
      start);
  fetchRows(o.k, spec.components, key, fetchedKeys,
            [&](Value s, Value d) { return at(spec.keyMap, {}, s, d); });
  fetchRows(o.v, spec.valueComponents, key, fetchedKeys,
            [&](Value s, Value e) { return at(spec.valueMap, {}, s, {}, e); });

  // A tile may have few groups: half of them do.
  Value rows = b.index(tile.queries() * 2 / tile.groups());
  Value row = b.mul(turn, rows);
  b.when(tileKeys.isLast, [&] {
    fetchRows(o.out, spec.valueComponents, b.add(firstQuery, row), rows,
              [&](Value t, Value e) { return at(spec.outMap, t, {}, {}, e); });
  });
  b.when(tileKeys.isFirst, [&] {
    Values own = batch;
    Value next = b.add(block, 1), heads = b.index(spec.groupSize());
    setBatch(spec.groupDims, b.rem(next, heads));
    Value first = b.mul(b.div(next, heads), tile.queries());
    fetchRows(o.q, spec.components, b.add(first, row), rows,
              [&](Value t, Value d) { return at(spec.queryMap, t, {}, d); });
    batch = own;
  });
}

//===----------------------------------------------------------------------===//
// Extras
//===----------------------------------------------------------------------===//

void BlockEmitter::stageExtra(int64_t extra, Value to, Value tileStart,
                              Value from, Value end) {
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
    stageExtra(*spec.bias, biasTile, keys.start, keys.from, keys.to);
  for (auto [extra, memref] : truthTiles)
    stageExtra(extra, memref, keys.start, keys.parts[1].from, keys.to);
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
