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
  auto take = [&](int64_t numbers, int64_t elementBytes) {
    int64_t at = chunkBytes;
    chunkBytes += (numbers * elementBytes + 63) / 64 * 64;
    return at;
  };
  queries = take(group * queryVectors * kLanes, 4);
  scores = take(heads * rowLength(), 4);
  for (int64_t extra : spec.keyExtras())
    extras[extra] = take(heads * rowLength(), 8);
}

void OneQuery::bindScratch(Value chunk) {
  Value first = b.mul(chunk, layout.chunkBytes);
  auto view = [&](int64_t offset, ArrayRef<int64_t> shape, Type element) {
    return b.view(o.scratch, b.add(first, offset),
                  MemRefType::get(shape, element));
  };
  Type f32 = b.getF32Type();
  queries =
      view(layout.queries, {layout.group, layout.queryVectors * kLanes}, f32);
  scores = view(layout.scores, {layout.heads, layout.rowLength()}, f32);
  for (auto [extra, offset] : layout.extras) {
    Type element = spec.extraElements[extra];
    if (element.isInteger(1))
      element = b.getI8Type();
    extraRows[extra] =
        view(offset, {layout.heads, layout.rowLength()}, element);
  }
}

Value OneQuery::state(Value slot, Value head, int64_t vector) {
  return b.loadVector(states, {slot, head, b.index(vector), b.index(0)});
}
void OneQuery::setState(Value value, Value slot, Value head, int64_t vector) {
  b.storeVector(value, states, {slot, head, b.index(vector), b.index(0)});
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

void OneQuery::beginHead(Value head) {
  setBatch(spec.headDims, head);
  setBatch(spec.groupDims, b.index(0));
  beginRow();
}

void OneQuery::attendUnit(Value number, Value slot) {
  Value zero = b.index(0), one = b.index(1);
  this->slot = slot;
  Value isFirst = b.compare(Predicate::eq, number, zero);
  Value isShort = b.compare(Predicate::sle, numQueries, one);
  b.when(b.both(isFirst, isShort), [&] {
    b.loop(zero, b.index(layout.group), 1, [&](Value head) {
      setBatch(spec.groupDims, head);
      clearResults(numQueries, callQueries);
    });
  });

  Units units = unitsOfRow();
  Value isOne = b.compare(Predicate::eq, numQueries, one);
  Value exists = b.compare(Predicate::slt, number, units.count);
  b.when(b.both(isOne, exists), [&] {
    b.loop(zero, b.index(layout.group), 1, [&](Value head) {
      setState(b.splat(std::numeric_limits<float>::lowest()), slot, head, 0);
      for (int64_t i = 1; i < layout.stateVectors(); ++i)
        setState(b.splat(0.0), slot, head, i);
    });
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
           Value first = b.max(from, tileStart);
           Value end = b.min(to, b.add(tileStart, tile));
           if (layout.heads == layout.group)
             return attendTile(b.index(0), tileStart, first, end);
           b.loop(b.index(0), b.index(layout.group), layout.heads,
                  [&](Value head) { attendTile(head, tileStart, first, end); });
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

/// Puts the units of the current head together, from the state `firstSlot` on.
void OneQuery::combine(Value firstSlot) {
  Value zero = b.index(0);
  Value end = b.add(firstSlot, unitsOfRow().count);
  b.loop(zero, b.index(layout.group), 1, [&](Value head) {
    setBatch(spec.groupDims, head);
    Value top =
        b.loop(firstSlot, end, 1, b.splat(std::numeric_limits<float>::lowest()),
               [&](Value slot, ValueRange largest) {
                 return Values{b.maxf(state(slot, head, 0), largest[0])};
               })[0];
    Values zeros(1 + layout.valueVectors, b.splat(0.0));
    Values total =
        b.loop(firstSlot, end, 1, zeros, [&](Value slot, ValueRange carried) {
          Values sum(carried);
          Value factor = emitExp2NonPositive(b, b.getLoc(),
                                             b.subf(state(slot, head, 0), top));
          for (auto [i, value] : llvm::enumerate(sum))
            value = b.fma(state(slot, head, int64_t(i) + 1), factor, value);
          return sum;
        });
    Value factor = inverted(b.sumOfLanes(total[0]));
    Values outputs;
    for (Value output : ValueRange(total).drop_front())
      outputs.push_back(b.fma(output, factor, b.splat(0.0)));
    storeResult(outputs);
  });
}

void OneQuery::run() {
  Value zero = b.index(0), one = b.index(1);
  firstQuery = zero, endQuery = one;
  states = b.view(o.scratch, b.index(layout.statesAt()),
                  MemRefType::get({OneScratch::kUnitSlots, layout.group,
                                   layout.stateVectors(), kLanes},
                                  b.getF32Type()));
  Value heads = extentOf(spec.headDims);
  Value units = mostUnits();
  // As many heads at once as there are slots for the states of their units. The
  // units of such a wave are one round, putting them together is the next.
  Value atOnce = b.div(b.index(OneScratch::kUnitSlots), units);
  Value waves = b.ceilDiv(heads, atOnce);
  Value chunks = b.min(b.mul(b.min(heads, atOnce), units), b.index(kMaxChunks));
  auto body = [&](Value number) {
    Value round = b.div(number, chunks), chunk = b.rem(number, chunks);
    Value firstHead = b.mul(b.div(round, b.index(2)), atOnce);
    Value count = b.min(atOnce, b.sub(heads, firstHead));
    auto attend = [&] {
      bindScratch(chunk);
      auto [from, to] = b.share(b.mul(count, units), chunk, chunks);
      b.loop(from, to, 1, [&](Value slot) {
        beginHead(b.add(firstHead, b.div(slot, units)));
        attendUnit(b.rem(slot, units), slot);
      });
    };
    auto combineAll = [&] {
      auto [from, to] = b.share(count, chunk, chunks);
      b.loop(from, to, 1, [&](Value head) {
        beginHead(b.add(firstHead, head));
        b.when(b.compare(Predicate::eq, numQueries, one),
               [&] { combine(b.mul(head, units)); });
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
