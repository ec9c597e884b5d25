//===- GpuAttentionScores.cpp - products, scores and weights --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A tile that is open to all queries of the block and one that is not are
// two branches, which do the same arithmetic on an allowed key: it does not
// matter to a query which of them its neighbours ask for.
//
//===----------------------------------------------------------------------===//

#include "GpuAttention.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nax;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// A step of 32 bytes of the queries of a warp, as operand A.
static Values loadQueryStep(GpuBuilder &b, const AttentionTile &tile,
                            Value arena, Value warp, Value lane, int64_t step) {
  Value row = b.add(b.mul(warp, 16), b.rem(lane, 16));
  Values parts = b.loadMatrices(
      tile.keyTile.chunkAt(b, arena, row, b.div(lane, 16), 0, 2 * step), 4,
      /*transposed=*/false);
  return b.asFactors(parts, tile.factor);
}

void GpuAttention::loadQueries() {
  if (!tile.queriesInRegisters)
    return;
  for (int64_t step = 0; step < tile.keyTile.chunks / 2; ++step)
    queries.push_back(loadQueryStep(b, tile, arena, warp, lane, step));
}

Values GpuAttention::dotsMma(Value keys) {
  Values sums(tile.keys / 2, b.f32(0));
  // Two tiles of eight keys at once: lanes 16 to 31 say where the second is.
  Value row = b.add(b.mul(b.div(lane, 16), 8), b.rem(lane, 8));
  Value half = b.rem(b.div(lane, 8), 2);
  for (int64_t step = 0; step < tile.keyTile.chunks / 2; ++step) {
    Values query = tile.queriesInRegisters
                       ? queries[step]
                       : loadQueryStep(b, tile, arena, warp, lane, step);
    for (int64_t first = 0; first < tile.keys; first += 16) {
      Values parts = b.loadMatrices(
          tile.keyTile.chunkAt(b, keys, row, half, first, 2 * step), 4,
          /*transposed=*/false);
      parts = b.asFactors(parts, tile.factor);
      for (int64_t i : {0, 1}) {
        MutableArrayRef<Value> sum =
            MutableArrayRef<Value>(sums).slice((first / 8 + i) * 4, 4);
        llvm::copy(b.mma(query, ValueRange(parts).slice(2 * i, 2),
                         ValueRange(sum), tile.factor),
                   sum.begin());
      }
    }
  }
  return sums;
}

Values GpuAttention::dotsFma(Value keys) {
  auto four = VectorType::get(4, b.getF32Type());
  Value column = b.shiftLeft(b.rem(lane, 4), 1);
  auto load = [&](Value base, Value row, int64_t rowsOn, Value chunk) {
    return b.unpack(
        b.load(tile.keyTile.chunkAt(b, base, row, chunk, rowsOn), four));
  };
  return b.loop(
      b.i32(0), b.i32(tile.keyTile.chunks), 1, Values(tile.keys / 2, b.f32(0)),
      [&](Value chunk, ValueRange carried) {
        Values sums(carried);
        SmallVector<Values> query, key;
        for (QueryRow &row : rows)
          query.push_back(load(arena, row.number, 0, chunk));
        for (int64_t first = 0; first < tile.keys; first += 8)
          for (int64_t i : {0, 1})
            key.push_back(load(keys, b.add(column, i), first, chunk));
        for (int64_t part = 0; part < 4; ++part)
          for (auto [number, sum] : llvm::enumerate(sums)) {
            size_t row = number / 2 % 2, place = number / 4 * 2 + number % 2;
            sum = b.fma(query[row][part], key[place][part], sum);
          }
        return sums;
      });
}

Values GpuAttention::dots(Value keys) {
  return tile.usesMma() ? dotsMma(keys) : dotsFma(keys);
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

Value GpuAttention::scored(Value dot, const QueryRow &row, Value s) {
  Value x = dot;
  if (spec.cap)
    x = b.mulf(b.tanh(b.mulf(x, b.f32(spec.scale / *spec.cap))),
               b.f32(*spec.cap * M_LOG2E));
  else
    x = b.mulf(x, b.f32(spec.scale * M_LOG2E));
  if (spec.bias)
    x = b.fma(b.toF32(loadKeyExtra(*spec.bias, row, s)), b.f32(M_LOG2E), x);
  if (row.slope) {
    Value distance = b.max(b.sub(row.position, s), b.sub(s, row.position));
    x = b.fma(row.slope, b.toF32(distance), x);
  }
  return x;
}

Values GpuAttention::scores(Value tileStart, Value isFull) {
  Values sums = dots(keySlot(tileStart));
  Value column = b.add(tileStart, b.shiftLeft(b.rem(lane, 4), 1));
  auto keyOf = [&](size_t number) {
    return b.add(column, number / 4 * 8 + number % 2);
  };
  auto rowOfSum = [&](size_t number) -> QueryRow & {
    return rows[number / 2 % 2];
  };
  if (!isPlain)
    for (auto [number, sum] : llvm::enumerate(sums))
      sum = scored(sum, rowOfSum(number), keyOf(number));
  return b.choose(
      isFull, [&] { return sums; },
      [&] {
        Values masked;
        Value closed = b.f32(-std::numeric_limits<double>::infinity());
        for (auto [number, sum] : llvm::enumerate(sums))
          masked.push_back(
              b.select(isOpen(rowOfSum(number), keyOf(number)), sum, closed));
        return masked;
      });
}

Values GpuAttention::weigh(ValueRange scores, State &state) {
  Values weights(scores);
  for (size_t row : {0, 1}) {
    SmallVector<Value *> own;
    for (size_t number = 0; number < weights.size(); ++number)
      if (number / 2 % 2 == row)
        own.push_back(&weights[number]);
    Value top = state.maxima[row];
    for (Value *score : own)
      top = b.maxf(top, *score);
    top = b.largestOfLanes(top, 4);
    // Exactly 1 where the maximum stays.
    Value change = b.subf(state.maxima[row], top);
    Value shift = arith::NegFOp::create(b, top);
    if (isPlain) {
      change = b.mulf(change, b.f32(factor));
      shift = b.mulf(shift, b.f32(factor));
    }
    Value scale = b.exp2(change), sum = b.f32(0);
    for (Value *score : own) {
      *score = b.exp2(isPlain ? b.fma(*score, b.f32(factor), shift)
                              : b.addf(*score, shift));
      sum = b.addf(sum, *score);
    }
    state.maxima[row] = top;
    state.weights[row] = b.fma(state.weights[row], scale, sum);
    for (size_t number = 0; number < state.sums.size(); ++number)
      if (number / 2 % 2 == row)
        state.sums[number] = b.mulf(state.sums[number], scale);
  }
  return weights;
}
