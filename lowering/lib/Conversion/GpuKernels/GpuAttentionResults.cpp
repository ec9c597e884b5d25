//===- GpuAttentionResults.cpp - results of attention ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A lane has pairs of neighbouring results of two rows. A warp's rows go
// through shared memory, so that each lane gets chunks of up to 16 bytes,
// neighbouring lanes neighbouring chunks. They take the place of the warp's
// queries, which no other warp reads: barriers of the warp are enough.
//
//===----------------------------------------------------------------------===//

#include "GpuAttention.h"

#include <numeric>

using namespace mlir;
using namespace nax;

/// So many chunks of a lane are read before the first of them is written.
static constexpr int64_t kChunksAtOnce = 4;
static constexpr int64_t kRowsOfWarp = 16;

static int64_t bytesOf(Type element) {
  return element.getIntOrFloatBitWidth() / 8;
}

Value GpuAttention::inverted(Value sum) {
  return b.select(b.isZero(sum), b.f32(0), b.reciprocal(sum));
}

int64_t GpuAttention::resultWidth() {
  int64_t bytes = bytesOf(o.out.element());
  int64_t aligned = isAdjacent(o.out, spec.outMap, spec.numBatch + 3)
                        ? alignedBytes(o.out.type)
                        : bytes;
  return std::gcd(aligned, spec.valueComponents * bytes) / bytes;
}

/// Where a row of a warp lies: half a warp writes pairs of f32, of 8 bytes, of
/// four rows at once, and `SharedTile` has two chunks of four such rows that
/// are one row apart in all banks.
static Value placeOf(GpuBuilder &b, Value row) {
  Value low = b.shiftLeft(b.bitAnd(row, 3), 1);
  Value high = b.bitAnd(b.shiftRight(row, 2), 1);
  return b.bitOr(b.bitOr(low, high), b.bitAnd(row, 8));
}

/// The lane's pairs of components [first, end), each row times its factor.
void GpuAttention::shareResults(const SharedTile &shape, Value base,
                                const State &state, ArrayRef<Value> factors,
                                int64_t first, int64_t end) {
  Value row = placeOf(b, b.div(lane, 4));
  Value column = b.shiftLeft(b.rem(lane, 4), 1);
  for (size_t number : {0, 1})
    for (int64_t component = first; component < end; component += 8) {
      // Adding 0 makes one zero of the two: which one it was may have followed
      // from the sign of a blocked value.
      Values parts;
      for (int64_t i : {0, 1})
        parts.push_back(b.fma(state.sums[component / 8 * 4 + number * 2 + i],
                              factors[number], b.f32(0)));
      b.store(b.fromF32s(parts, shape.element),
              shape.at(b, base, row, column, component - first, 8 * number));
    }
}

/// Components [first, end) of the warp's rows from shared memory to the result.
void GpuAttention::writeResults(const SharedTile &shape, Value base,
                                int64_t first, int64_t end) {
  int64_t width = resultWidth(), chunks = (end - first) / width;
  int64_t total = kRowsOfWarp * chunks, turn = kChunksAtOnce * kWarp;
  Type type =
      width == 1 ? shape.element : VectorType::get(width, shape.element);
  Value firstRow = b.mul(warp, kRowsOfWarp);
  b.loop(b.i32(0), b.i32(total), turn, [&](Value begin) {
    Values loaded, places, valid;
    for (int64_t on = 0; on < std::min(turn, total); on += kWarp) {
      Value number = b.add(b.add(begin, on), lane), there;
      if (total % turn != 0) {
        there = b.less(number, b.i32(total));
        number = b.min(number, b.i32(total - 1));
      }
      Value row = b.div(number, chunks);
      Value column = b.mul(b.rem(number, chunks), width);
      loaded.push_back(
          b.load(shape.at(b, base, placeOf(b, row), column), type));
      QueryRow query = rowOf(b.add(firstRow, row));
      valid.push_back(there ? b.bitAnd(there, query.valid) : query.valid);
      places.push_back(o.out.at(b, at(spec.outMap, query.batch, query.t, {}, {},
                                      b.add(column, first))));
    }
    for (auto [value, place, condition] : llvm::zip(loaded, places, valid))
      b.when(condition, [&] { b.store(value, place); });
  });
}

void GpuAttention::storeResults(const State &state) {
  Value factors[] = {inverted(b.sumOfLanes(state.weights[0], 4)),
                     inverted(b.sumOfLanes(state.weights[1], 4))};
  Type element = o.out.element();
  // As many components at once as there is place for.
  int64_t e = tile.valueComponents();
  int64_t columns = std::min(tile.keyTile.stride / bytesOf(element), e);
  SharedTile shape(element, columns);
  Value base = b.atByte(arena, b.mul(warp, tile.keyTile.bytes(kRowsOfWarp)));
  for (int64_t first = 0; first < spec.valueComponents; first += columns) {
    // All lanes are done with what was there before.
    b.warpBarrier();
    shareResults(shape, base, state, factors, first,
                 std::min(first + columns, e));
    b.warpBarrier();
    writeResults(shape, base, first,
                 std::min(first + columns, spec.valueComponents));
  }
}

void GpuAttention::clearResults(Value from, Value to) {
  int64_t width = resultWidth(), chunks = spec.valueComponents / width;
  Value count = b.mul(b.max(b.sub(to, from), b.i32(0)), chunks);
  Type element = o.out.element();
  Type type = width == 1 ? element : VectorType::get(width, element);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  b.loop(b.threadId(), count, tile.threads(), [&](Value number) {
    Value t = b.add(from, b.div(number, chunks));
    Value component = b.mul(b.rem(number, chunks), width);
    b.store(zero, o.out.at(b, at(spec.outMap, batch, t, {}, {}, component)));
  });
}
