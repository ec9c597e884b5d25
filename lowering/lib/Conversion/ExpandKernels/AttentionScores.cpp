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
#include <numeric>

using namespace mlir;
using namespace nax;

using Predicate = KernelBuilder::Predicate;

void BlockEmitter::forEachTile(
    const KeyBounds &bounds, llvm::function_ref<void(const TileKeys &)> body) {
  Value step = b.index(tile.blockKeys);
  int64_t unit = std::lcm(tile.keys, BlockTile::weighedKeys);
  Value first = b.mul(b.div(bounds.from, step), step);
  b.loop(first, bounds.to, tile.blockKeys, [&](Value start) {
    Value from = b.max(start, bounds.from);
    Value to = b.min(b.add(start, step), bounds.to);
    Value open = b.sub(b.min(to, bounds.fullTo), from);
    open = b.select(b.compare(Predicate::sge, from, bounds.fullFrom), open,
                    b.index(0));
    open = b.mul(b.div(b.max(open, b.index(0)), b.index(unit)), unit);
    body({start, from, b.add(from, open), to});
  });
}

void BlockEmitter::loadQueries() {
  double scale = spec.scale * M_LOG2E;
  int64_t d = spec.components;
  int64_t whole = isAdjacent(o.q, spec.queryMap, spec.numBatch + 2)
                      ? d / kLanes * kLanes
                      : 0;
  if (whole)
    for (int64_t v = 0; v < tile.queryVectors; ++v)
      b.loop(b.index(0), b.index(whole), kLanes, [&](Value component) {
        Values rows;
        for (int64_t lane = 0; lane < kLanes; ++lane) {
          Value t = query(b.index(v * kLanes + lane));
          Value row = b.loadVector(o.q, at(spec.queryMap, t, {}, component));
          rows.push_back(b.mulf(row, b.splat(scale)));
        }
        for (auto [i, row] : llvm::enumerate(b.transpose(rows)))
          b.storeVector(row, queries,
                        {b.add(component, int64_t(i)), b.index(v * kLanes)});
      });
  if (whole < d)
    b.loop(b.index(0), b.index(tile.queries()), 1, [&](Value lane) {
      Value t = query(lane);
      b.loop(b.index(whole), b.index(d), 1, [&](Value component) {
        Value x = b.load(o.q, at(spec.queryMap, t, {}, component));
        b.store(b.mulf(x, b.scalar(scale)), queries, {component, lane});
      });
    });
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

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
                            bool full) {
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
  Value open = full ? Value() : openTo(pairs);
  if (!open)
    return x;
  return arith::SelectOp::create(
      b, open, x, b.splat(-std::numeric_limits<double>::infinity()));
}

Values BlockEmitter::scoreKeys(const KeyRun &run, Value tileStart, bool full,
                               ValueRange maxima) {
  Value last = b.sub(run.to, b.index(1));
  // Open keys are whole groups, unless they are in several runs.
  bool isWhole = full && !spec.cached();
  return b.loop(
      run.from, run.to, tile.keys, maxima, [&](Value group, ValueRange init) {
        // The last group of a tile may stick out; it does its last key again.
        Values keys, largest(init);
        for (int64_t r = 0; r < tile.keys; ++r) {
          Value s = b.add(group, r);
          keys.push_back(isWhole ? s : b.min(s, last));
        }
        Values zeros(tile.keys * tile.queryVectors, b.splat(0.0));
        Values dots = b.unrolledLoop(
            b.index(0), b.index(spec.components), kUnroll, zeros,
            [&](Value component, Values sum) {
              Values lanes = loadRow(queries, component);
              for (int64_t r = 0; r < tile.keys; ++r) {
                Value number = b.sub(keys[r], run.base);
                Value key = b.broadcast(
                    b.load(run.memref, at(spec.keyMap, {}, number, component)));
                for (int64_t v = 0; v < tile.queryVectors; ++v) {
                  Value &s = sum[r * tile.queryVectors + v];
                  s = b.fma(key, lanes[v], s);
                }
              }
              return sum;
            });
        for (int64_t r = 0; r < tile.keys; ++r) {
          Value row = b.sub(keys[r], tileStart);
          Values made;
          for (int64_t v = 0; v < tile.queryVectors; ++v) {
            made.push_back(scoreOf(dots[r * tile.queryVectors + v], keys[r],
                                   row, v, full));
            largest[v] = b.maxf(made[v], largest[v]);
          }
          storeRow(made, scores, b.sub(b.add(group, r), tileStart));
        }
        return largest;
      });
}

Values BlockEmitter::scoreTile(const TileKeys &keys, ValueRange maxima) {
  stageExtras(keys);
  // What a group that sticks out of its run leaves behind is overwritten by
  // the next run.
  auto score = [&](Value from, Value to, bool full, ValueRange init) {
    return forEachRun(o.k, o.keyCache, from, to, init,
                      [&](const KeyRun &run, Values largest) {
                        return scoreKeys(run, keys.start, full, largest);
                      });
  };
  Values largest = score(keys.from, keys.middle, /*full=*/true, maxima);
  return score(keys.middle, keys.to, /*full=*/false, largest);
}

Values BlockEmitter::weighTile(const TileKeys &keys, ValueRange maxima) {
  Values top(maxima);
  auto weigh = [&](Value from, Value to, int64_t unroll, ValueRange init) {
    return b.loop(keys.row(b, from), keys.row(b, to), unroll, init,
                  [&](Value group, ValueRange carried) {
                    Values sum(carried);
                    for (int64_t r = 0; r < unroll; ++r)
                      weighRow(b.add(group, r), top, sum);
                    return sum;
                  });
  };
  Values sum =
      weigh(keys.from, keys.middle, BlockTile::weighedKeys, splats(0.0));
  return weigh(keys.middle, keys.to, 1, sum);
}

void BlockEmitter::weighRow(Value row, ValueRange maxima, Values &sum) {
  Values weights = loadRow(scores, row);
  for (int64_t v = 0; v < tile.queryVectors; ++v) {
    weights[v] =
        emitExp2NonPositive(b, b.getLoc(), b.subf(weights[v], maxima[v]));
    sum[v] = b.addf(sum[v], weights[v]);
  }
  storeRow(weights, scores, row);
}
