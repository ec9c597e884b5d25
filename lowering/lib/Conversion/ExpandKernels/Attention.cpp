//===- Attention.cpp - fused attention and its weights alone --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The softmax is made online: a tile of keys may raise the maximum of a query,
// then what was summed so far is scaled down. A value that a query
// may not read is not multiplied by 0 but left out, so that a NaN in it stays
// where it is.
//
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"

#include "nax/Conversion/MathBuilder.h"

#include <limits>

using namespace mlir;
using namespace nax;

using Predicate = KernelBuilder::Predicate;

namespace {

constexpr double kLowest = std::numeric_limits<float>::lowest();

/// 1 / sum, or 0 for a query with nothing allowed.
Values inverted(KernelBuilder &b, ValueRange sums) {
  Values inverse;
  for (Value sum : sums) {
    Value isZero =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, sum, b.splat(0.0));
    inverse.push_back(arith::SelectOp::create(b, isZero, b.splat(0.0),
                                              b.divf(b.splat(1.0), sum)));
  }
  return inverse;
}

struct Attention : AttentionEmitter {
  using AttentionEmitter::AttentionEmitter;

  /// `count` components of the outputs from `first` on, plus a tile's share.
  void addValues(int64_t count, Value first, Value tileStart, Value from,
                 Value to, bool full, ValueRange factors) {
    Values components, sums;
    for (int64_t r = 0; r < count; ++r) {
      components.push_back(b.add(first, r));
      for (auto [v, sum] : llvm::enumerate(loadRow(outputs, components[r])))
        sums.push_back(b.mulf(sum, factors[v]));
    }
    bool mayBlock = !full && (spec.mask || spec.causal);
    auto add = [&](Value s, Values sum) {
      Values weights = loadRow(scores, b.sub(s, tileStart));
      Values open;
      if (mayBlock)
        for (Value weight : weights)
          open.push_back(arith::CmpFOp::create(b, arith::CmpFPredicate::UNE,
                                               weight, b.splat(0.0)));
      for (int64_t r = 0; r < count; ++r) {
        Value value =
            b.broadcast(b.load(v, at(spec.valueMap, {}, s, {}, components[r])));
        for (int64_t i = 0; i < tile.queryVectors; ++i) {
          Value &total = sum[r * tile.queryVectors + i];
          Value more = b.fma(value, weights[i], total);
          total = mayBlock ? b.select(open[i], more, total) : more;
        }
      }
      return sum;
    };
    sums = b.unrolledLoop(from, to, kUnroll, sums, add);
    for (int64_t r = 0; r < count; ++r)
      storeRow(ValueRange(sums).slice(r * tile.queryVectors, tile.queryVectors),
               outputs, components[r]);
  }

  void attendTile(Value tileStart, Value from, Value to, bool full) {
    Value zero = b.index(0);
    Values before = loadRow(maxima, zero);
    Values after = scoreTile(tileStart, from, to, full, before);
    Values factors;
    for (auto [x, y] : llvm::zip(before, after))
      factors.push_back(emitExp2NonPositive(b, b.getLoc(), b.subf(x, y)));
    storeRow(after, maxima, zero);

    Values total = loadRow(sums, zero);
    Values added = weighTile(tileStart, from, to, full, after);
    for (int64_t v = 0; v < tile.queryVectors; ++v)
      total[v] = b.fma(total[v], factors[v], added[v]);
    storeRow(total, sums, zero);

    int64_t e = spec.valueComponents, rest = e % tile.components;
    b.loop(zero, b.index(e - rest), tile.components, [&](Value first) {
      addValues(tile.components, first, tileStart, from, to, full, factors);
    });
    if (rest)
      addValues(rest, b.index(e - rest), tileStart, from, to, full, factors);
  }

  /// Outputs of the block, divided by the sums and transposed, to `out`.
  void storeOutputs() {
    Value zero = b.index(0);
    int64_t e = spec.valueComponents;
    Values factors = inverted(b, loadRow(sums, zero));
    b.loop(zero, b.index(e), 1, [&](Value component) {
      Values row = loadRow(outputs, component);
      // Adding 0 makes one zero of the two: which one it was may have followed
      // from the sign of a blocked value.
      for (int64_t v = 0; v < tile.queryVectors; ++v)
        row[v] = b.fma(row[v], factors[v], b.splat(0.0));
      storeRow(row, outputs, component);
    });

    int64_t whole = isAdjacent(out, spec.outMap, spec.numBatch + 3)
                        ? e / kLanes * kLanes
                        : 0;
    if (whole)
      for (int64_t v = 0; v < tile.queryVectors; ++v)
        b.loop(zero, b.index(whole), kLanes, [&](Value component) {
          Values rows;
          for (int64_t i = 0; i < kLanes; ++i)
            rows.push_back(b.loadVector(
                outputs, {b.add(component, i), b.index(v * kLanes)}));
          for (auto [lane, row] : llvm::enumerate(b.transpose(rows))) {
            Value t = b.add(firstQuery, v * kLanes + int64_t(lane));
            Value vector = row;
            b.when(b.compare(Predicate::slt, t, endQuery), [&] {
              b.storeVector(vector, out, at(spec.outMap, t, {}, {}, component));
            });
          }
        });
    if (whole < e)
      b.loop(firstQuery, endQuery, 1, [&](Value t) {
        b.loop(b.index(whole), b.index(e), 1, [&](Value component) {
          Value x = b.load(outputs, {component, b.sub(t, firstQuery)});
          b.store(x, out, at(spec.outMap, t, {}, {}, component));
        });
      });
  }

  void run() {
    forEachBlock([&] {
      Value zero = b.index(0);
      loadQueries();
      storeRow(splats(kLowest), maxima, zero);
      storeRow(splats(0.0), sums, zero);
      b.loop(zero, b.index(spec.valueComponents), 1, [&](Value component) {
        storeRow(splats(0.0), outputs, component);
      });
      forEachTile(keyBounds(),
                  [&](Value start, Value from, Value to, bool full) {
                    attendTile(start, from, to, full);
                  });
      storeOutputs();
    });
  }
};

/// Scores are made twice: first for the maxima and sums, then for the result.
struct AttentionWeights : AttentionEmitter {
  using AttentionEmitter::AttentionEmitter;

  void sumTile(Value tileStart, Value from, Value to, bool full) {
    Value zero = b.index(0);
    Values before = loadRow(maxima, zero), total = loadRow(sums, zero);
    Values after = scoreTile(tileStart, from, to, full, before);
    Values added = weighTile(tileStart, from, to, full, after);
    for (int64_t v = 0; v < tile.queryVectors; ++v) {
      Value factor =
          emitExp2NonPositive(b, b.getLoc(), b.subf(before[v], after[v]));
      total[v] = b.fma(total[v], factor, added[v]);
    }
    storeRow(after, maxima, zero);
    storeRow(total, sums, zero);
  }

  void storeTile(Value tileStart, Value from, Value to, bool full) {
    Value zero = b.index(0);
    Values top = loadRow(maxima, zero);
    scoreTile(tileStart, from, to, full, top);
    weighTile(tileStart, from, to, full, top);
    Values factors = inverted(b, loadRow(sums, zero));
    b.loop(b.sub(from, tileStart), b.sub(to, tileStart), 1, [&](Value row) {
      Values weights = loadRow(scores, row);
      for (int64_t v = 0; v < tile.queryVectors; ++v)
        weights[v] = b.mulf(weights[v], factors[v]);
      storeRow(weights, scores, row);
    });
    b.loop(firstQuery, endQuery, 1, [&](Value t) {
      b.loop(from, to, 1, [&](Value s) {
        Value weight =
            b.load(scores, {b.sub(s, tileStart), b.sub(t, firstQuery)});
        b.store(weight, out, at(spec.outMap, t, s));
      });
    });
  }

  void clear(Value from, Value to) {
    b.loop(firstQuery, endQuery, 1, [&](Value t) {
      b.loop(from, to, 1, [&](Value s) {
        b.store(b.scalar(0.0), out, at(spec.outMap, t, s));
      });
    });
  }

  void run() {
    forEachBlock([&] {
      loadQueries();
      storeRow(splats(kLowest), maxima, b.index(0));
      storeRow(splats(0.0), sums, b.index(0));
      KeyBounds bounds = keyBounds();
      forEachTile(bounds, [&](Value start, Value from, Value to, bool full) {
        sumTile(start, from, to, full);
      });
      forEachTile(bounds, [&](Value start, Value from, Value to, bool full) {
        storeTile(start, from, to, full);
      });
      clear(b.index(0), b.min(bounds.from, numKeys));
      clear(bounds.to, numKeys);
    });
  }
};

} // namespace

void nax::emitAttention(KernelBuilder &b, kernel::AttentionOp op,
                        ValueRange args, const CpuTarget &cpu) {
  AttentionSpec spec = AttentionSpec::get(op);
  kernel::AttentionOp::Adaptor given(args, op);
  Attention(b, spec, AttentionTile::get(cpu), given.getQ(), given.getK(),
            given.getV(), given.getOut(), given.getExtras(), given.getScratch())
      .run();
}

void nax::emitAttentionWeights(KernelBuilder &b, kernel::AttentionWeightsOp op,
                               ValueRange args, const CpuTarget &cpu) {
  AttentionSpec spec = AttentionSpec::get(op);
  kernel::AttentionWeightsOp::Adaptor given(args, op);
  AttentionWeights(b, spec, AttentionTile::get(cpu), given.getQ(), given.getK(),
                   Value(), given.getOut(), given.getExtras(),
                   given.getScratch())
      .run();
}
