//===- AttentionScores.cpp - a tile of scores and of weights --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Tiles that are open to all queries of a block and tiles that are not are two
// copies of the code. They do the same arithmetic on an allowed key, so that
// it does not matter to a query which of the two its neighbours ask for.
//
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"

#include "nax/Conversion/MathBuilder.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nax;

using Predicate = KernelBuilder::Predicate;

void AttentionEmitter::forEachTile(
    const KeyBounds &bounds,
    llvm::function_ref<void(Value, Value, Value, bool)> body) {
  Value step = b.index(tile.blockKeys);
  Value first = b.mul(b.div(bounds.from, step), step);
  b.loop(first, bounds.to, tile.blockKeys, [&](Value start) {
    Value end = b.add(start, step);
    Value full = b.both(b.compare(Predicate::sge, start, bounds.fullFrom),
                        b.compare(Predicate::sle, end, bounds.fullTo));
    b.when(
        full, [&] { body(start, start, end, true); },
        [&] {
          body(start, b.max(start, bounds.from), b.min(end, bounds.to), false);
        });
  });
}

void AttentionEmitter::loadQueries() {
  double scale = spec.scale * M_LOG2E;
  int64_t d = spec.components;
  int64_t whole =
      isAdjacent(q, spec.queryMap, spec.numBatch + 2) ? d / kLanes * kLanes : 0;
  if (whole)
    for (int64_t v = 0; v < tile.queryVectors; ++v)
      b.loop(b.index(0), b.index(whole), kLanes, [&](Value component) {
        Values rows;
        for (int64_t lane = 0; lane < kLanes; ++lane) {
          Value t = query(b.index(v * kLanes + lane));
          Value row = b.loadVector(q, at(spec.queryMap, t, {}, component));
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
        Value x = b.load(q, at(spec.queryMap, t, {}, component));
        b.store(b.mulf(x, b.scalar(scale)), queries, {component, lane});
      });
    });
}

/// From the scaled dot product to the score, both times log2(e).
Value AttentionEmitter::scored(Value dot, Value s, Value row, int64_t vector) {
  Value x = dot;
  if (spec.cap) {
    Value small = b.mulf(x, b.splat(M_LN2 / *spec.cap));
    x = b.mulf(emitTanh(b, b.getLoc(), small), b.splat(*spec.cap * M_LOG2E));
  }
  if (spec.bias) {
    Value bias =
        biasTile ? b.loadVector(biasTile, {row, b.index(vector * kLanes)})
                 : b.broadcast(
                       b.load(extras[*spec.bias],
                              at(spec.extraMaps[*spec.bias], firstQuery, s)));
    x = b.fma(bias, b.splat(M_LOG2E), x);
  }
  if (spec.alibi) {
    Value key = b.broadcast(b.toI32(s));
    Value ahead = arith::SubIOp::create(b, queryLanes[vector], key);
    Value behind = arith::SubIOp::create(b, key, queryLanes[vector]);
    Value distance = arith::SIToFPOp::create(
        b, b.f32x16(), arith::MaxSIOp::create(b, ahead, behind));
    x = b.fma(negatedSlope, distance, x);
  }
  return x;
}

Values AttentionEmitter::scoreTile(Value tileStart, Value from, Value to,
                                   bool full, ValueRange maxima) {
  stageExtras(tileStart, from, to, full);
  Value last = b.sub(to, b.index(1));
  return b.loop(from, to, tile.keys, maxima, [&](Value group, ValueRange init) {
    // The last group of a tile may stick out; it does its last key again.
    Values keys, largest(init);
    for (int64_t r = 0; r < tile.keys; ++r) {
      Value s = b.add(group, r);
      keys.push_back(full ? s : b.min(s, last));
    }
    Values zeros(tile.keys * tile.queryVectors, b.splat(0.0));
    Values dots = b.unrolledLoop(
        b.index(0), b.index(spec.components), kUnroll, zeros,
        [&](Value component, Values sum) {
          Values lanes = loadRow(queries, component);
          for (int64_t r = 0; r < tile.keys; ++r) {
            Value key =
                b.broadcast(b.load(k, at(spec.keyMap, {}, keys[r], component)));
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
        Value x = scored(dots[r * tile.queryVectors + v], keys[r], row, v);
        if (!full)
          if (Value truth = allowed(keys[r], row, v))
            x = arith::SelectOp::create(
                b, truth, x, b.splat(-std::numeric_limits<double>::infinity()));
        largest[v] = b.maxf(x, largest[v]);
        made.push_back(x);
      }
      storeRow(made, scores, b.sub(b.add(group, r), tileStart));
    }
    return largest;
  });
}

Values AttentionEmitter::weighTile(Value tileStart, Value from, Value to,
                                   bool full, ValueRange maxima) {
  // Four keys of a full tile at once: their polynomials overlap.
  int64_t unroll = full ? 4 : 1;
  Values top(maxima);
  return b.loop(b.sub(from, tileStart), b.sub(to, tileStart), unroll,
                splats(0.0), [&](Value group, ValueRange carried) {
                  Values sum(carried);
                  for (int64_t r = 0; r < unroll; ++r) {
                    Value row = b.add(group, r);
                    Values weights = loadRow(scores, row);
                    for (int64_t v = 0; v < tile.queryVectors; ++v) {
                      weights[v] = emitExp2NonPositive(
                          b, b.getLoc(), b.subf(weights[v], top[v]));
                      sum[v] = b.addf(sum[v], weights[v]);
                    }
                    storeRow(weights, scores, row);
                  }
                  return sum;
                });
}
