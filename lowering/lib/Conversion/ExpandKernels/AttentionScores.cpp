//===- AttentionScores.cpp - a tile of scores and of weights --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Keys that are open to all queries of a block and others have a copy of the
// code each. Both do the same arithmetic on an allowed key, so that it does not
// matter to a query which of the two its neighbours ask for.
//
//===----------------------------------------------------------------------===//

#include "AttentionBlocks.h"

#include "nax/Conversion/MathBuilder.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nax;

using Predicate = KernelBuilder::Predicate;

Value AttentionEmitter::negatedSlope() {
  Value slope = loadExtra(*spec.alibi, firstQuery);
  return b.broadcast(b.mulf(slope, b.scalar(-M_LOG2E)));
}

Value AttentionEmitter::scored(Value dots, Value bias, Value negatedSlope,
                               const Pairs &pairs) {
  Value x = dots;
  if (spec.cap) {
    Value small = b.mulf(x, b.splat(M_LN2 / *spec.cap));
    x = b.mulf(emitTanh(b, b.getLoc(), small), b.splat(*spec.cap * M_LOG2E));
  }
  if (bias)
    x = b.fma(bias, b.splat(M_LOG2E), x);
  if (negatedSlope) {
    auto lanes = [&](Value position) {
      return isa<VectorType>(position.getType()) ? position
                                                 : b.broadcast(position);
    };
    Value t = lanes(pairs.t), s = lanes(pairs.s);
    Value distance = arith::SIToFPOp::create(
        b, b.f32x16(),
        arith::MaxSIOp::create(b, arith::SubIOp::create(b, t, s),
                               arith::SubIOp::create(b, s, t)));
    x = b.fma(negatedSlope, distance, x);
  }
  return x;
}

Value AttentionEmitter::inverted(Value sum) {
  Value isZero =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, sum, b.splat(0.0));
  return arith::SelectOp::create(b, isZero, b.splat(0.0),
                                 b.divf(b.splat(1.0), sum));
}

Value BlockEmitter::openTo(const Pairs &pairs) {
  Value open;
  if (spec.mask) {
    open = allowed(spec.mask, pairs);
    if (!isa<VectorType>(open.getType()))
      open = b.broadcast(open);
  }
  if (spec.causal) {
    Value past = compare(Predicate::sge, pairs.t, pairs.s);
    open = open ? b.both(open, past) : past;
  }
  return open;
}

Value BlockEmitter::scoreOf(Value dots, Value s, Value row, int64_t vector,
                            bool open) {
  Value lanes = b.index(vector * kLanes);
  auto documents = [&](int64_t extra) {
    return std::pair<Value, Value>(b.loadVector(documentLanes[extra], lanes),
                                   ofKey(extra, s, row));
  };
  auto truth = [&](int64_t extra) {
    if (Value staged = truthTiles.lookup(extra))
      return b.loadVector(staged, {row, lanes});
    return ofKey(extra, s, row);
  };
  Pairs pairs{queryLanes[vector], b.toI32(s), documents, truth};
  Value bias;
  if (spec.bias)
    bias = biasTile ? b.loadVector(biasTile, {row, lanes})
                    : b.broadcast(ofKey(*spec.bias, s, row));
  Value x = scored(dots, bias, slope, pairs);
  Value lanesOpen = open ? Value() : openTo(pairs);
  if (!lanesOpen)
    return x;
  return arith::SelectOp::create(
      b, lanesOpen, x, b.splat(-std::numeric_limits<double>::infinity()));
}

Values BlockEmitter::scoreKeys(const TilePart &part, const TileKeys &tileKeys,
                               ValueRange maxima) {
  Value tileStart = tileKeys.start;
  Value last = b.sub(part.to, b.index(1));
  int64_t vectors = tile.queryVectors - part.vector;
  int64_t count = tile.keysFor(vectors);
  auto score = [&](Value group, ValueRange init) {
    fetchAhead(group, tileKeys);
    // The last group of a part may stick out; it does its last key again.
    Values numbers, largest(init);
    for (int64_t r = 0; r < count; ++r) {
      Value s = b.add(group, r);
      numbers.push_back(part.open ? s : b.min(s, last));
    }
    Values zeros(count * vectors, b.splat(0.0));
    Values dots = b.unrolledLoop(
        b.index(0), b.index(spec.components), kUnroll, zeros,
        [&](Value component, Values sum) {
          Values lanes = loadRow(queries, component, part.vector);
          for (int64_t r = 0; r < count; ++r) {
            Value row = b.sub(numbers[r], tileStart);
            Value key = b.broadcast(b.load(keys, {row, component}));
            for (int64_t v = 0; v < vectors; ++v)
              sum[r * vectors + v] = b.fma(key, lanes[v], sum[r * vectors + v]);
          }
          return sum;
        });
    for (int64_t r = 0; r < count; ++r) {
      Value row = b.sub(numbers[r], tileStart);
      Values made;
      for (int64_t v = 0; v < vectors; ++v) {
        made.push_back(scoreOf(dots[r * vectors + v], numbers[r], row,
                               part.vector + v, part.open));
        largest[v] = b.maxf(made[v], largest[v]);
      }
      storeRow(made, scores, b.sub(b.add(group, r), tileStart), part.vector);
    }
    return largest;
  };
  return b.loop(part.from, part.to, count, maxima, score);
}

Values BlockEmitter::scoreTile(const TileKeys &tileKeys, ValueRange maxima) {
  stageExtras(tileKeys);
  Values largest(maxima);
  for (const TilePart &part : tileKeys.parts)
    llvm::copy(
        scoreKeys(part, tileKeys, ValueRange(largest).drop_front(part.vector)),
        largest.begin() + part.vector);
  return largest;
}

Values BlockEmitter::weighTile(const TileKeys &keys, ValueRange maxima) {
  Values sums = splats(0.0);
  for (const TilePart &part : keys.parts) {
    int64_t unroll = part.open ? BlockTile::weighedKeys : 1;
    auto weigh = [&](Value group, ValueRange carried) {
      Values sum(carried);
      for (int64_t r = 0; r < unroll; ++r)
        weighRow(b.add(group, r), part.vector, maxima, sum);
      return sum;
    };
    llvm::copy(b.loop(keys.row(b, part.from), keys.row(b, part.to), unroll,
                      ValueRange(sums).drop_front(part.vector), weigh),
               sums.begin() + part.vector);
  }
  return sums;
}

void BlockEmitter::weighRow(Value row, int64_t vector, ValueRange maxima,
                            Values &sum) {
  Values weights = loadRow(scores, row, vector);
  for (auto [v, weight] : llvm::enumerate(weights)) {
    Value below = b.subf(weight, maxima[vector + int64_t(v)]);
    weight = emitExp2NonPositive(b, b.getLoc(), below);
    sum[v] = b.addf(sum[v], weight);
  }
  storeRow(weights, scores, row, vector);
}
