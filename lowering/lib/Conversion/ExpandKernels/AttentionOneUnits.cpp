//===- AttentionOneUnits.cpp - units of a row's keys ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "AttentionOne.h"

#include "nax/Conversion/MathBuilder.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;
using namespace nax;

using Predicate = KernelBuilder::Predicate;

/// Rows times units that are enough to keep processors busy with whole rows.
static constexpr int64_t kFewItems = 8;

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

OneScratch::OneScratch(const AttentionSpec &spec) {
  group = spec.groupSize();
  // Blocks of at most four heads, as even as they can be.
  int64_t blocks = (group + 3) / 4;
  heads = (group + blocks - 1) / blocks;
  queryVectors = (spec.components + kLanes - 1) / kLanes;
  valueVectors = (spec.valueComponents + kLanes - 1) / kLanes;
  splitHeads(spec);
  auto take = [&](int64_t numbers, int64_t elementBytes) {
    int64_t at = chunkBytes;
    chunkBytes += (numbers * elementBytes + 63) / 64 * 64;
    return at;
  };
  queries = take(keyHeads * group * queryVectors * kLanes, 4);
  scores = take(keyHeads * scoreRows() * rowLength(), 4);
  for (int64_t extra : spec.keyExtras())
    extras[extra] = take(heads * rowLength(), 8);
}

/// Keys lie side by side where the dimension is inside of the slots; which of
/// them are allowed has to be the same for all.
void OneScratch::splitHeads(const AttentionSpec &spec) {
  SmallVector<AffineMap> bounds{spec.spanMap};
  for (int64_t extra : spec.extrasOf({"less_than", "not_before", "same"}))
    bounds.push_back(spec.extraMaps[extra]);
  unsigned slots = positionOf(spec.keyMap, spec.numBatch + 1);
  int64_t most = std::max<int64_t>(kMostQueries / group, 1);
  keyHeads = 1;
  for (auto [dim, size] : llvm::zip(spec.headDims, spec.headSizes)) {
    bool isSide = spec.keyMap.isFunctionOfDim(dim) &&
                  positionOf(spec.keyMap, dim) > slots &&
                  llvm::none_of(bounds, [dim = dim](AffineMap map) {
                    return map.isFunctionOfDim(dim);
                  });
    (isSide ? sideDims : rowDims).push_back(dim);
    if (isSide && ShapedType::isDynamic(size))
      keyHeads = most;
    else if (isSide && size > 0)
      keyHeads = std::min(keyHeads * size, most);
  }
}

void OneQuery::bindScratch(Value chunk) {
  Value first = b.mul(chunk, layout.chunkBytes);
  auto view = [&](int64_t offset, ArrayRef<int64_t> shape, Type element) {
    return b.view(o.scratch, b.add(first, offset),
                  MemRefType::get(shape, element));
  };
  Type f32 = b.getF32Type();
  queries =
      view(layout.queries,
           {layout.keyHeads * layout.group, layout.queryVectors * kLanes}, f32);
  scores =
      view(layout.scores,
           {layout.keyHeads * layout.scoreRows(), layout.rowLength()}, f32);
  for (auto [extra, offset] : layout.extras) {
    Type element = spec.extraElements[extra];
    if (element.isInteger(1))
      element = b.getI8Type();
    extraRows[extra] =
        view(offset, {layout.heads, layout.rowLength()}, element);
  }
}

Value OneQuery::state(Value slot, Value query, int64_t vector) {
  return b.loadVector(states, {slot, query, b.index(vector), b.index(0)});
}
void OneQuery::setState(Value value, Value slot, Value query, int64_t vector) {
  b.storeVector(value, states, {slot, query, b.index(vector), b.index(0)});
}

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

void OneQuery::forEachQuery(llvm::function_ref<void(Value)> body) {
  b.loop(b.index(0), numHeads, 1, [&](Value keyHead) {
    setBatch(layout.sideDims, b.add(firstHead, keyHead));
    b.loop(b.index(0), b.index(layout.group), 1, [&](Value head) {
      setBatch(spec.groupDims, head);
      body(b.add(b.mul(keyHead, layout.group), head));
    });
  });
}

void OneQuery::forEachHeads(llvm::function_ref<void(const Heads &)> body) {
  b.loop(b.index(0), numHeads, 1, [&](Value keyHead) {
    setBatch(layout.sideDims, b.add(firstHead, keyHead));
    if (layout.heads == layout.group)
      return body({keyHead, b.index(0)});
    b.loop(b.index(0), b.index(layout.group), layout.heads,
           [&](Value first) { body({keyHead, first}); });
  });
}

Value OneQuery::headNumber(const Heads &these, int64_t j) {
  return b.min(b.add(these.first, j), b.index(layout.group - 1));
}
Value OneQuery::queryRow(const Heads &these, int64_t j) {
  return b.add(b.mul(these.keyHead, layout.group), headNumber(these, j));
}
Value OneQuery::scoreRow(const Heads &these, int64_t j) {
  return b.add(b.mul(these.keyHead, layout.scoreRows()), b.add(these.first, j));
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

OneQuery::Units OneQuery::unitsOfRow() {
  Value tile = b.index(OneScratch::kTileKeys);
  Value first = b.mul(b.div(oldestKey, tile), tile);
  Value tiles = b.ceilDiv(b.sub(numKeys, first), tile);
  Value length = b.mul(b.ceilDiv(tiles, b.index(OneScratch::kMostUnits)), tile);
  Value count = b.ceilDiv(b.mul(tiles, tile), b.max(length, tile));
  return {first, length, count};
}

/// The largest number of units that a row has, at least 1.
Value OneQuery::mostUnits() {
  SmallVector<unsigned> rows;
  for (unsigned dim = 0; dim < spec.numBatch; ++dim)
    if (spec.spanMap.isFunctionOfDim(dim))
      rows.push_back(dim);
  return b.loop(b.index(0), extentOf(rows), 1, b.index(1),
                [&](Value row, ValueRange most) {
                  setBatch(rows, row);
                  beginRow();
                  Value isOne =
                      b.compare(Predicate::eq, numQueries, b.index(1));
                  Value count = b.select(isOne, unitsOfRow().count, b.index(1));
                  return Values{b.max(most[0], count)};
                })[0];
}

OneQuery::Blocks OneQuery::blocksOfHeads(Value units) {
  Value heads = extentOf(layout.sideDims), one = b.index(1);
  Value busy = b.max(b.mul(extentOf(layout.rowDims), units), one);
  Value wanted = b.min(b.ceilDiv(b.index(kFewItems), busy), heads);
  Value least = b.ceilDiv(heads, b.index(layout.keyHeads));
  Value size = b.ceilDiv(heads, b.max(b.max(wanted, least), one));
  return {heads, size, b.ceilDiv(heads, b.max(size, one))};
}

void OneQuery::beginBlock(const Blocks &blocks, Value number) {
  setBatch(layout.rowDims, b.div(number, blocks.count));
  firstHead = b.mul(b.rem(number, blocks.count), blocks.size);
  numHeads = b.min(blocks.size, b.sub(blocks.heads, firstHead));
  setBatch(layout.sideDims, firstHead);
  setBatch(spec.groupDims, b.index(0));
  beginRow();
}

void OneQuery::attendUnit(Value number, Value slot) {
  Value zero = b.index(0), one = b.index(1);
  this->slot = slot;
  Value isFirst = b.compare(Predicate::eq, number, zero);
  Value isShort = b.compare(Predicate::sle, numQueries, one);
  b.when(b.both(isFirst, isShort), [&] {
    forEachQuery([&](Value) { clearResults(numQueries, callQueries); });
  });

  Units units = unitsOfRow();
  Value isOne = b.compare(Predicate::eq, numQueries, one);
  Value exists = b.compare(Predicate::slt, number, units.count);
  b.when(b.both(isOne, exists), [&] {
    forEachQuery([&](Value query) {
      setState(b.splat(std::numeric_limits<float>::lowest()), slot, query, 0);
      for (int64_t i = 1; i < layout.stateVectors(); ++i)
        setState(b.splat(0.0), slot, query, i);
    });
    setBatch(layout.sideDims, firstHead);
    setBatch(spec.groupDims, zero);
    KeyBounds bounds = keyBounds();
    Value first = b.add(units.first, b.mul(number, units.length));
    Value from = b.max(bounds.from, first);
    Value to = b.min(bounds.to, b.add(first, units.length));
    b.when(b.compare(Predicate::slt, from, to), [&] { attendKeys(from, to); });
  });
}

void OneQuery::attendKeys(Value from, Value to) {
  loadQueries();
  Value tile = b.index(OneScratch::kTileKeys);
  b.loop(b.mul(b.div(from, tile), tile), to, OneScratch::kTileKeys,
         [&](Value tileStart) {
           attendTile(tileStart, b.max(from, tileStart),
                      b.min(to, b.add(tileStart, tile)));
         });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void OneQuery::storeResult(ValueRange outputs) {
  unsigned dim = spec.numBatch + 3;
  int64_t e = spec.valueComponents;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    int64_t first = int64_t(i) * kLanes, lanes = std::min(kLanes, e - first);
    auto place = [&](int64_t component) {
      return at(spec.outMap, firstQuery, {}, {}, b.index(component));
    };
    if (isAdjacent(o.out, spec.outMap, dim)) {
      b.storeLanes(output, o.out, place(first), lanes);
      continue;
    }
    for (int64_t lane = 0; lane < lanes; ++lane)
      b.store(vector::ExtractOp::create(b, output, lane), o.out,
              place(first + lane));
  }
}

/// Puts the units of a head together, those with states in [firstSlot, end).
void OneQuery::combineHead(Value query, Value firstSlot, Value end) {
  Value top =
      b.loop(firstSlot, end, 1, b.splat(std::numeric_limits<float>::lowest()),
             [&](Value slot, ValueRange largest) {
               return Values{b.maxf(state(slot, query, 0), largest[0])};
             })[0];
  Values zeros(1 + layout.valueVectors, b.splat(0.0));
  Values total =
      b.loop(firstSlot, end, 1, zeros, [&](Value slot, ValueRange carried) {
        Values sum(carried);
        Value factor = emitExp2NonPositive(b, b.getLoc(),
                                           b.subf(state(slot, query, 0), top));
        for (auto [i, value] : llvm::enumerate(sum))
          value = b.fma(state(slot, query, int64_t(i) + 1), factor, value);
        return sum;
      });
  Value factor = inverted(b.sumOfLanes(total[0]));
  Values outputs;
  for (Value output : ValueRange(total).drop_front())
    outputs.push_back(b.fma(output, factor, b.splat(0.0)));
  storeResult(outputs);
}

void OneQuery::combine(Value firstSlot) {
  Value end = b.add(firstSlot, unitsOfRow().count);
  forEachQuery([&](Value query) { combineHead(query, firstSlot, end); });
}

void OneQuery::run() {
  Value zero = b.index(0), one = b.index(1);
  firstQuery = zero, endQuery = one;
  states = b.view(
      o.scratch, b.index(layout.statesAt()),
      MemRefType::get({OneScratch::kUnitSlots, layout.keyHeads * layout.group,
                       layout.stateVectors(), kLanes},
                      b.getF32Type()));
  Value units = mostUnits();
  Blocks blocks = blocksOfHeads(units);
  Value total = b.mul(extentOf(layout.rowDims), blocks.count);
  // As many blocks at once as there are slots for the states of their units.
  // The units of such a wave are one round, putting them together is the next.
  Value atOnce = b.div(b.index(OneScratch::kUnitSlots), units);
  Value waves = b.ceilDiv(total, atOnce);
  Value chunks = b.min(b.mul(b.min(total, atOnce), units), b.index(kMaxChunks));
  auto body = [&](Value number) {
    Value round = b.div(number, chunks), chunk = b.rem(number, chunks);
    Value first = b.mul(b.div(round, b.index(2)), atOnce);
    Value count = b.min(atOnce, b.sub(total, first));
    auto attend = [&] {
      bindScratch(chunk);
      auto [from, to] = b.share(b.mul(count, units), chunk, chunks);
      b.loop(from, to, 1, [&](Value slot) {
        beginBlock(blocks, b.add(first, b.div(slot, units)));
        attendUnit(b.rem(slot, units), slot);
      });
    };
    auto combineAll = [&] {
      auto [from, to] = b.share(count, chunk, chunks);
      b.loop(from, to, 1, [&](Value block) {
        beginBlock(blocks, b.add(first, block));
        b.when(b.compare(Predicate::eq, numQueries, one),
               [&] { combine(b.mul(block, units)); });
      });
    };
    Value isFirst = b.compare(Predicate::eq, b.rem(round, b.index(2)), zero);
    b.when(isFirst, attend, combineAll);
  };
  b.parallel(chunks, body, b.mul(waves, b.index(2)));
}

void nax::emitAttentionOfOne(KernelBuilder &b, const AttentionSpec &spec,
                             const AttentionOperands &operands,
                             const CpuTarget &cpu) {
  OneQuery(b, spec, operands, cpu).run();
}
