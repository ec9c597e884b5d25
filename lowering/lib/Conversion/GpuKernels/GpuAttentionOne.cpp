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

/// Where the states of a head's units are: of each unit its maximum and its sum
/// of weights, then of each its weighted values.
static Value statesPlace(GpuBuilder &b, const GlobalView &scratch, Value head,
                         int64_t components) {
  Value offset = b.mul(b.toI64(head), kMaxUnits * (2 + components));
  return b.at(scratch.pointer, offset, b.getF32Type());
}
static Value weightPlace(GpuBuilder &b, Value states, Value unit) {
  return b.at(states, b.mul(unit, 2), b.getF32Type());
}
static Value valuePlace(GpuBuilder &b, Value states, Value unit,
                        int64_t components, Value number) {
  Value values = b.add(b.mul(unit, components), 2 * kMaxUnits);
  return b.at(states, b.add(values, number), b.getF32Type());
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
  Value states = statesPlace(b, *o.scratch, head, e);
  b.when(b.compare(Predicate::eq, b.rem(lane, 4), b.i32(0)),
         [&] { b.store(b.pack({top, sum}), weightPlace(b, states, unit)); });
  Value column = b.shiftLeft(b.rem(lane, 4), 1);
  for (int64_t first = 0; first < e; first += 8)
    for (int64_t i : {0, 1}) {
      Value component = b.add(column, first + i);
      Value x = sums[first / 8 * 4 + row * 2 + i];
      auto putOne = [&] {
        b.store(x, valuePlace(b, states, unit, e, component));
      };
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
    Value states = statesPlace(b, *o.scratch, number, e);
    auto load = [&](Value from, int64_t count) {
      if (count == 1)
        return Values{b.load(from, b.getF32Type())};
      return b.unpack(b.load(from, VectorType::get(count, b.getF32Type())));
    };
    auto weightOf = [&](Value unit) {
      return load(weightPlace(b, states, unit), 2);
    };
    Value top = b.loop(b.i32(0), count, 1, b.f32(kLowestScore),
                       [&](Value unit, ValueRange carried) {
                         return Values{b.maxf(carried[0], weightOf(unit)[0])};
                       })[0];
    int64_t width = resultWidth(), piece = std::min<int64_t>(width, 4);
    int64_t parts = llvm::divideCeil(e, kWarp * width);
    auto componentOf = [&](int64_t part) {
      return b.mul(b.add(lane, part * kWarp), width);
    };
    Values sums =
        b.loop(b.i32(0), count, 1, Values(parts * width + 1, b.f32(0)),
               [&](Value unit, ValueRange carried) {
                 Values sums(carried), weight = weightOf(unit);
                 Value factor = b.exp2(b.subf(weight[0], top));
                 sums.back() = b.fma(weight[1], factor, sums.back());
                 for (int64_t part = 0; part < parts; ++part) {
                   // A lane past the end takes the last components again.
                   Value first = b.min(componentOf(part), b.i32(e - width));
                   for (int64_t i = 0; i < width; i += piece) {
                     Value from =
                         valuePlace(b, states, unit, e, b.add(first, i));
                     for (auto [on, x] : llvm::enumerate(load(from, piece))) {
                       Value &sum = sums[part * width + i + on];
                       sum = b.fma(x, factor, sum);
                     }
                   }
                 }
                 return sums;
               });
    Value factor = inverted(sums.back());
    for (int64_t part = 0; part < parts; ++part) {
      Value component = componentOf(part);
      b.when(b.less(component, b.i32(e)), [&] {
        Values results;
        for (int64_t i = 0; i < width; ++i)
          results.push_back(b.fma(sums[part * width + i], factor, b.f32(0)));
        b.store(
            b.fromF32s(results, o.out.element()),
            o.out.at(b, at(spec.outMap, batch, b.i32(0), {}, {}, component)));
      });
    }
    clearResults(b.i32(1), callQueries);
  });
}
