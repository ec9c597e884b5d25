//===- GpuAttentionOne.cpp - rows with one query --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The heads that share keys are the rows of a tile, and a row's keys are cut
// into units, each of them a block of one warp: that reads a long cache with
// the whole GPU. A unit leaves its maxima, its sums of weights and its weighted
// values in the scratch; a second kernel combines units in their order. Where
// units begin follows from the row's own keys.
//
//===----------------------------------------------------------------------===//

#include "GpuAttentionOne.h"

using namespace mlir;
using namespace nax;

OneUnits OneUnits::of(GpuBuilder &b, const KeyBounds &bounds,
                      int64_t tileKeys) {
  Value first = b.div(bounds.from, tileKeys);
  Value tiles = b.sub(b.ceilDiv(bounds.to, tileKeys), first);
  tiles = b.select(b.less(bounds.from, bounds.to), tiles, b.i32(0));
  Value length = b.max(b.ceilDiv(tiles, kMaxUnits), b.i32(1));
  return {b.mul(first, tileKeys), b.mul(length, tileKeys),
          b.div(b.add(tiles, b.sub(length, b.i32(1))), length)};
}

/// Where the state of a head's unit is: its maximum, its sum of weights and its
/// weighted values.
static Value statePlace(GpuBuilder &b, const GlobalView &scratch, Value head,
                        Value unit, int64_t components, Value number) {
  Value state = b.add(b.mul(b.toI64(head), kMaxUnits), b.toI64(unit));
  Value offset = b.add(b.mul(state, 2 + components), b.toI64(number));
  return b.at(scratch.pointer, offset, b.getF32Type());
}

/// The row of the block and its heads.
Value GpuAttention::beginOne(Value number) {
  setBatch(batch, spec.headDims, number);
  for (unsigned dim : spec.groupDims)
    batch[dim] = b.i32(0);
  beginRow();
  return b.mul(number, spec.groupSize());
}

void GpuAttention::runUnits() {
  int64_t group = spec.groupSize(), tiles = llvm::divideCeil(group, 16);
  Value number = b.blockId(gpu::Dimension::x);
  Value unit = b.blockId(gpu::Dimension::y);
  Value firstHead = b.mul(b.rem(number, tiles), 16);
  Value heads = beginOne(b.div(number, tiles));
  rowOf = [=, this](Value number) {
    Value head = b.add(firstHead, number);
    QueryRow row;
    row.valid = b.less(head, b.i32(group));
    row.batch = batch;
    setBatch(row.batch, spec.groupDims, b.min(head, b.i32(group - 1)));
    row.t = b.i32(0);
    return row;
  };
  b.when(b.compare(Predicate::eq, numQueries, b.i32(1)), [&] {
    KeyBounds bounds = keyBounds(b.i32(0), b.i32(1));
    OneUnits units = OneUnits::of(b, bounds, tile.keys);
    b.when(b.less(unit, units.count), [&] {
      Value from = b.add(units.first, b.mul(unit, units.length));
      bounds.from = b.max(bounds.from, from);
      bounds.to = b.min(bounds.to, b.add(from, units.length));
      State state = attend(bounds);
      for (unsigned i : {0, 1}) {
        Value sum = b.sumOfLanes(state.weights[i], 4);
        Value head = b.add(heads, b.add(firstHead, rows[i].number));
        Value top =
            isPlain ? b.mulf(state.maxima[i], b.f32(factor)) : state.maxima[i];
        b.when(rows[i].valid,
               [&] { storeState(head, unit, top, sum, state.sums, i); });
      }
    });
  });
}

void GpuAttention::storeState(Value head, Value unit, Value top, Value sum,
                              ValueRange sums, unsigned row) {
  int64_t e = spec.valueComponents;
  auto put = [&](Value x, Value number) {
    b.store(x, statePlace(b, *o.scratch, head, unit, e, number));
  };
  b.when(b.compare(Predicate::eq, b.rem(lane, 4), b.i32(0)), [&] {
    put(top, b.i32(0));
    put(sum, b.i32(1));
  });
  Value column = b.shiftLeft(b.rem(lane, 4), 1);
  for (int64_t first = 0; first < e; first += 8)
    for (int64_t i : {0, 1}) {
      Value component = b.add(column, first + i);
      Value x = sums[first / 8 * 4 + row * 2 + i];
      auto putOne = [&] { put(x, b.add(component, 2)); };
      if (first + 8 <= e)
        putOne();
      else
        b.when(b.less(component, b.i32(e)), putOne);
    }
}

void GpuAttention::runCombine() {
  int64_t group = spec.groupSize(), e = spec.valueComponents;
  Value number = b.blockId(gpu::Dimension::x);
  Value inGroup = b.rem(number, group);
  (void)beginOne(b.div(number, group));
  b.when(b.compare(Predicate::sle, numQueries, b.i32(1)), [&] {
    KeyBounds bounds = keyBounds(b.i32(0), b.i32(1));
    // A row without a query has no unit.
    OneUnits units = OneUnits::of(b, bounds, tile.keys);
    Value count = b.select(b.compare(Predicate::eq, numQueries, b.i32(1)),
                           units.count, b.i32(0));
    setBatch(batch, spec.groupDims, inGroup);
    auto get = [&](Value unit, Value place) {
      return b.load(statePlace(b, *o.scratch, number, unit, e, place),
                    b.getF32Type());
    };
    Value top = b.loop(b.i32(0), count, 1, b.f32(kLowestScore),
                       [&](Value unit, ValueRange carried) {
                         return Values{b.maxf(carried[0], get(unit, b.i32(0)))};
                       })[0];
    int64_t parts = llvm::divideCeil(e, kWarp);
    auto componentOf = [&](int64_t part) { return b.add(lane, part * kWarp); };
    // A lane past the end takes the last component again.
    Values sums =
        b.loop(b.i32(0), count, 1, Values(parts + 1, b.f32(0)),
               [&](Value unit, ValueRange carried) {
                 Values sums(carried);
                 Value factor = b.exp2(b.subf(get(unit, b.i32(0)), top));
                 sums[parts] = b.fma(get(unit, b.i32(1)), factor, sums[parts]);
                 for (int64_t part = 0; part < parts; ++part) {
                   Value place = b.min(componentOf(part), b.i32(e - 1));
                   sums[part] =
                       b.fma(get(unit, b.add(place, 2)), factor, sums[part]);
                 }
                 return sums;
               });
    Value factor = inverted(sums[parts]);
    for (int64_t part = 0; part < parts; ++part) {
      Value component = componentOf(part);
      b.when(b.less(component, b.i32(e)), [&] {
        Value x = b.fma(sums[part], factor, b.f32(0));
        b.store(
            b.fromF32(x, o.out.element()),
            o.out.at(b, at(spec.outMap, batch, b.i32(0), {}, {}, component)));
      });
    }
    clearResults(b.i32(1), callQueries);
  });
}
