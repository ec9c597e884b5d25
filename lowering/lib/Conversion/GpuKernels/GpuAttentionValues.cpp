//===- GpuAttentionValues.cpp - weights times values ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The weight of a closed key is 0, but 0 times NaN is NaN, and what lies in a
// value that a query may not read must not reach it. Fused multiplications
// leave such a product out. mma.sync can't; where a tile is closed to a query
// and has a value that is not finite, such values are taken as 0 in it, and
// added afterwards to the queries that may read them.
//
//===----------------------------------------------------------------------===//

#include "GpuAttention.h"

using namespace mlir;
using namespace nax;

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

/// The exponent of both halves of a pair, all ones where one is not finite.
static int64_t exponentBits(Type element) {
  return element.isBF16() ? 0x7F807F80 : 0x7C007C00;
}

/// A bit at the place of the sign for each half that is not finite: the lowest
/// bit of an exponent of ones carries up to there.
static Value nonFiniteBits(GpuBuilder &b, Value pair, Type element) {
  Value exponent = b.bitAnd(pair, exponentBits(element));
  int64_t lowest = element.isBF16() ? 0x00800080 : 0x04000400;
  return b.bitAnd(b.add(exponent, lowest), int32_t(0x80008000));
}

Value GpuAttention::cleaned(Value pair) {
  Value bits = nonFiniteBits(b, pair, tile.element);
  // 0xFFFF in each half that is to become 0.
  Value mask = b.mul(b.shiftRight(bits, 15), 0xFFFF);
  return b.bitAnd(pair, b.bitXor(mask, b.i32(-1)));
}

Value GpuAttention::hasNonFinite(Value values) {
  auto four = VectorType::get(4, b.getI32Type());
  int64_t chunks = tile.valueTile.chunks, total = tile.keys * chunks;
  Value found =
      b.loop(lane, b.i32(total), kWarp, b.i32(0),
             [&](Value number, ValueRange carried) {
               Value bits = carried[0];
               Value at = tile.valueTile.chunkAt(
                   b, values, b.div(number, chunks), b.rem(number, chunks));
               for (Value pair : b.unpack(b.load(at, four)))
                 bits = b.bitOr(bits, nonFiniteBits(b, pair, tile.element));
               return Values{bits};
             })[0];
  return b.any(b.compare(Predicate::ne, found, b.i32(0)));
}

Values GpuAttention::addValuesMma(ArrayRef<Values> weights, Value values,
                                  Values sums, bool cleans) {
  Value row = b.rem(lane, 16), half = b.div(lane, 16);
  for (auto [step, weight] : llvm::enumerate(weights))
    for (int64_t first = 0; first < tile.valueComponents(); first += 16) {
      Values parts = b.loadMatrices(
          tile.valueTile.chunkAt(b, values, row, half, 16 * step, first / 8), 4,
          /*transposed=*/true);
      if (cleans)
        for (Value &part : parts)
          part = cleaned(part);
      for (int64_t i : {0, 1}) {
        MutableArrayRef<Value> sum =
            MutableArrayRef<Value>(sums).slice((first / 8 + i) * 4, 4);
        llvm::copy(b.mma(weight, ValueRange(parts).slice(2 * i, 2),
                         ValueRange(sum), tile.element),
                   sum.begin());
      }
    }
  return sums;
}

Values GpuAttention::addNonFinite(Value weights, Value values, Values sums) {
  auto pairType = VectorType::get(2, tile.element);
  Value column = b.shiftLeft(b.rem(lane, 4), 1);
  return b.loop(
      b.i32(0), b.i32(tile.keys), 1, sums, [&](Value key, ValueRange carried) {
        Values sums(carried), weight, open;
        for (QueryRow &row : rows) {
          Value at = tile.weightTile.at(b, weights, row.number, key);
          weight.push_back(b.toF32(b.load(at, tile.element)));
          open.push_back(b.bitXor(b.isZero(weight.back()),
                                  arith::ConstantIntOp::create(b, 1, 1)));
        }
        for (int64_t first = 0; first < tile.valueComponents(); first += 8) {
          Value at = tile.valueTile.at(b, values, key, column, first);
          for (auto [i, half] :
               llvm::enumerate(b.unpack(b.load(at, pairType)))) {
            Value x = b.toF32(half);
            // x - x is NaN where x is not finite.
            Value bad = arith::CmpFOp::create(b, arith::CmpFPredicate::UNE,
                                              b.subf(x, x), b.f32(0));
            for (size_t row : {0, 1}) {
              Value &sum = sums[first / 8 * 4 + row * 2 + i];
              sum = b.select(b.bitAnd(bad, open[row]),
                             b.fma(weight[row], x, sum), sum);
            }
          }
        }
        return sums;
      });
}

//===----------------------------------------------------------------------===//
// Fused multiplications
//===----------------------------------------------------------------------===//

Values GpuAttention::addValuesFma(Value weights, Value values, Values sums,
                                  bool checks) {
  auto two = VectorType::get(2, b.getF32Type());
  auto four = VectorType::get(4, b.getF32Type());
  Value column = b.shiftLeft(b.rem(lane, 4), 1);
  return b.loop(
      b.i32(0), b.i32(tile.keys / 4), 1, sums,
      [&](Value chunk, ValueRange carried) {
        Values sums(carried);
        SmallVector<Values> weight;
        for (QueryRow &row : rows)
          weight.push_back(b.unpack(b.load(
              tile.weightTile.chunkAt(b, weights, row.number, chunk), four)));
        for (int64_t key = 0; key < 4; ++key) {
          Value s = b.add(b.shiftLeft(chunk, 2), key);
          Value closed[] = {checks ? b.isZero(weight[0][key]) : Value(),
                            checks ? b.isZero(weight[1][key]) : Value()};
          for (int64_t first = 0; first < tile.valueComponents(); first += 8) {
            Value at = tile.valueTile.at(b, values, s, column, first);
            for (auto [i, x] : llvm::enumerate(b.unpack(b.load(at, two))))
              for (size_t row : {0, 1}) {
                Value &sum = sums[first / 8 * 4 + row * 2 + i];
                Value more = b.fma(weight[row][key], x, sum);
                sum = checks ? b.select(closed[row], sum, more) : more;
              }
          }
        }
        return sums;
      });
}

void GpuAttention::storeWeights(ValueRange weights, Value base) {
  Value column = b.shiftLeft(b.rem(lane, 4), 1);
  for (size_t number = 0; number < weights.size(); number += 2) {
    Value at = tile.weightTile.at(b, base, rows[number / 2 % 2].number, column,
                                  number / 4 * 8);
    b.store(tile.usesMma() ? b.packHalves(weights[number], weights[number + 1],
                                          tile.element)
                           : b.pack(weights.slice(number, 2)),
            at);
  }
  b.warpBarrier();
}

void GpuAttention::addValues(ValueRange weights, Value keySlot, Value valueSlot,
                             Value isFull, State &state) {
  if (!tile.usesMma()) {
    Value base = b.atByte(arena, b.i32(tile.weightsAt()));
    // What the warp's lanes read in the turn before may be overwritten.
    b.warpBarrier();
    storeWeights(weights, base);
    auto add = [&](bool checks) {
      return addValuesFma(base, valueSlot, state.sums, checks);
    };
    state.sums = mayBlock() ? b.choose(
                                  isFull, [&] { return add(false); },
                                  [&] { return add(true); })
                            : add(false);
    return;
  }

  SmallVector<Values> packed;
  for (size_t first = 0; first < weights.size(); first += 8) {
    packed.emplace_back();
    for (size_t i = 0; i < 8; i += 2)
      packed.back().push_back(b.packHalves(
          weights[first + i], weights[first + i + 1], tile.element));
  }
  auto add = [&] { return addValuesMma(packed, valueSlot, state.sums, false); };
  if (!mayBlock()) {
    state.sums = add();
    return;
  }
  // Each warp looks at the whole tile, so all of the block go the same way.
  Value isBad = b.choose(
      isFull, [&] { return Values{arith::ConstantIntOp::create(b, 0, 1)}; },
      [&] { return Values{hasNonFinite(valueSlot)}; })[0];
  state.sums = b.choose(
      isBad,
      [&] {
        // The keys have been read by all and make room for the weights.
        b.barrier();
        storeWeights(weights, keySlot);
        return addNonFinite(keySlot, valueSlot,
                            addValuesMma(packed, valueSlot, state.sums, true));
      },
      add);
}
