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

#include <numeric>

using namespace mlir;
using namespace nax;

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

namespace {

/// How a register of factors is looked at for what is not finite: what `add`
/// carries into `signs`, of the bits of `mask`, is not. A pair of numbers of 16
/// bits has an exponent of ones then. f32 is to be rounded to tf32: from half a
/// step below 2^128 on it is infinite afterwards.
struct FiniteTest {
  int64_t mask, add, signs;

  static FiniteTest of(Type factor) {
    if (factor.isTF32())
      return {0x7FFFFFFF, 0x00801000, int32_t(0x80000000)};
    if (factor.isBF16())
      return {0x7F807F80, 0x00800080, int32_t(0x80008000)};
    return {0x7C007C00, 0x04000400, int32_t(0x80008000)};
  }
};

} // namespace

/// A bit at the place of the sign of each number that is not finite.
static Value nonFiniteBits(GpuBuilder &b, Value bits, Type factor) {
  FiniteTest test = FiniteTest::of(factor);
  return b.bitAnd(b.add(b.bitAnd(bits, test.mask), test.add), test.signs);
}

Value GpuAttention::cleaned(Value bits) {
  int64_t width = 8 * tile.valueTile.elementBytes();
  Value bad = nonFiniteBits(b, bits, tile.factor);
  // Ones in each number that is to become 0.
  Value mask =
      b.mul(b.shiftRight(bad, width - 1), int32_t((int64_t(1) << width) - 1));
  return b.bitAnd(bits, b.bitXor(mask, b.i32(-1)));
}

Value GpuAttention::hasNonFinite(Value values) {
  auto four = VectorType::get(4, b.getI32Type());
  int64_t chunks = tile.valueTile.chunks, total = tile.keys * chunks;
  // Beside the sums of large tiles there are registers for one chunk only.
  int64_t turn = std::gcd(total, tile.queriesInRegisters ? 4 * kWarp : kWarp);
  Value found = b.rolledLoop(
      lane, b.i32(total), turn, b.i32(0), [&](Value first, ValueRange carried) {
        Value bits = carried[0];
        for (int64_t on = 0; on < turn; on += kWarp) {
          Value number = b.add(first, on);
          Value at = tile.valueTile.chunkAt(b, values, b.div(number, chunks),
                                            b.rem(number, chunks));
          for (Value part : b.unpack(b.load(at, four)))
            bits = b.bitOr(bits, nonFiniteBits(b, part, tile.factor));
        }
        return Values{bits};
      })[0];
  return b.any(b.compare(Predicate::ne, found, b.i32(0)));
}

/// Weights as operands A, a step of 16 keys or of 8. What a lane has of a step
/// is in order for 16 bits. tf32 takes keys 2 (lane mod 4) and the next one as
/// numbers lane mod 4 and that plus 4 of k; so does `loadValues`.
SmallVector<Values> GpuAttention::asOperands(ValueRange weights) {
  SmallVector<Values> operands;
  if (tile.factor.isTF32()) {
    for (size_t i = 0; i < weights.size(); i += 4)
      operands.push_back(b.asFactors(
          {weights[i], weights[i + 2], weights[i + 1], weights[i + 3]},
          tile.factor));
    return operands;
  }
  for (size_t first = 0; first < weights.size(); first += 8) {
    operands.emplace_back();
    for (size_t i = 0; i < 8; i += 2)
      operands.back().push_back(b.packHalves(
          weights[first + i], weights[first + i + 1], tile.element));
  }
  return operands;
}

/// The operands B of a step of keys and two times eight components.
Values GpuAttention::loadValues(Value values, int64_t step, int64_t first) {
  if (!tile.factor.isTF32())
    return b.loadMatrices(tile.valueTile.chunkAt(b, values, b.rem(lane, 16),
                                                 b.div(lane, 16), 16 * step,
                                                 first / 8),
                          4, /*transposed=*/true);
  // ldmatrix transposes numbers of 16 bits only.
  Value key = b.shiftLeft(b.rem(lane, 4), 1), column = b.div(lane, 4);
  Values parts;
  for (int64_t columnsOn : {0, 8})
    for (int64_t i : {0, 1})
      parts.push_back(b.load(tile.valueTile.at(b, values, b.add(key, i), column,
                                               first + columnsOn, 8 * step),
                             b.getI32Type()));
  return parts;
}

Values GpuAttention::addValuesMma(ArrayRef<Values> weights, Value values,
                                  Values sums, bool cleans) {
  for (auto [step, weight] : llvm::enumerate(weights))
    for (int64_t first = 0; first < tile.valueComponents(); first += 16) {
      Values parts = loadValues(values, step, first);
      if (cleans)
        for (Value &part : parts)
          part = cleaned(part);
      parts = b.asFactors(parts, tile.factor);
      for (int64_t i : {0, 1}) {
        MutableArrayRef<Value> sum =
            MutableArrayRef<Value>(sums).slice((first / 8 + i) * 4, 4);
        llvm::copy(b.mma(weight, ValueRange(parts).slice(2 * i, 2),
                         ValueRange(sum), tile.factor),
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
            Value x = b.rounded(half, tile.factor);
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
    b.store(
        tile.element.isF32()
            ? b.pack(weights.slice(number, 2))
            : b.packHalves(weights[number], weights[number + 1], tile.element),
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

  SmallVector<Values> operands = asOperands(weights);
  auto add = [&] {
    return addValuesMma(operands, valueSlot, state.sums, false);
  };
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
        // The keys have been read by all and may make room for the weights.
        b.barrier();
        Value base = tile.weightsReplaceKeys()
                         ? keySlot
                         : b.atByte(arena, b.i32(tile.weightsAt()));
        storeWeights(weights, base);
        return addNonFinite(
            base, valueSlot,
            addValuesMma(operands, valueSlot, state.sums, true));
      },
      add);
}
