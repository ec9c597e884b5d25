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

#include "AttentionBlocks.h"
#include "AttentionOne.h"

#include "nax/Conversion/ExpandKernels.h"
#include "nax/Conversion/MathBuilder.h"
#include "nax/model_desc.h"

using namespace mlir;
using namespace nax;

using Predicate = KernelBuilder::Predicate;

namespace {

struct Attention : BlockEmitter {
  using BlockEmitter::BlockEmitter;

  /// Adds the values of a part of a tile to some components of the outputs.
  void addKeys(const TilePart &part, Value tileStart, Value panel,
               int64_t count, Values &sums) {
    bool mayBlock = !part.open && (spec.mask || spec.causal);
    int64_t vectors = tile.queryVectors - part.vector;
    auto add = [&](Value s, Values sum) {
      Value row = b.sub(s, tileStart);
      Values weights = loadRow(scores, row, part.vector);
      Values open;
      if (mayBlock)
        for (Value weight : weights)
          open.push_back(arith::CmpFOp::create(b, arith::CmpFPredicate::UNE,
                                               weight, b.splat(0.0)));
      for (int64_t r = 0; r < count; ++r) {
        Value value = b.broadcast(b.load(panels, {row, panel, b.index(r)}));
        for (int64_t v = 0; v < vectors; ++v) {
          Value &total = sum[r * vectors + v];
          Value more = b.fma(value, weights[v], total);
          total = mayBlock ? b.select(open[v], more, total) : more;
        }
      }
      return sum;
    };
    // Of each component, the vectors that the part has.
    Values own;
    auto forEachOwn = [&](llvm::function_ref<void(Value &)> body) {
      for (int64_t r = 0; r < count; ++r)
        for (int64_t v = part.vector; v < tile.queryVectors; ++v)
          body(sums[r * tile.queryVectors + v]);
    };
    forEachOwn([&](Value &sum) { own.push_back(sum); });
    own = b.unrolledLoop(part.from, part.to, kUnroll, own, add);
    const Value *next = own.begin();
    forEachOwn([&](Value &sum) { sum = *next++; });
  }

  /// `count` components of the outputs, of a panel, plus a tile's share.
  void addValues(int64_t count, Value panel, const TileKeys &keys,
                 ValueRange factors) {
    Values components, sums;
    for (int64_t r = 0; r < count; ++r) {
      components.push_back(b.add(b.mul(panel, tile.components), r));
      for (auto [v, sum] : llvm::enumerate(loadRow(outputs, components[r])))
        sums.push_back(b.mulf(sum, factors[v]));
    }
    for (const TilePart &part : keys.parts)
      addKeys(part, keys.start, panel, count, sums);
    for (int64_t r = 0; r < count; ++r)
      storeRow(ValueRange(sums).slice(r * tile.queryVectors, tile.queryVectors),
               outputs, components[r]);
  }

  void attendTile(const TileKeys &keys) {
    Value zero = b.index(0);
    Values before = loadRow(maxima, zero);
    Values after = scoreTile(keys, before);
    Values factors;
    for (auto [x, y] : llvm::zip(before, after))
      factors.push_back(emitExp2NonPositive(b, b.getLoc(), b.subf(x, y)));
    storeRow(after, maxima, zero);

    Values total = loadRow(sums, zero);
    Values added = weighTile(keys, after);
    for (int64_t v = 0; v < tile.queryVectors; ++v)
      total[v] = b.fma(total[v], factors[v], added[v]);
    storeRow(total, sums, zero);

    int64_t whole = spec.valueComponents / tile.components;
    int64_t rest = spec.valueComponents % tile.components;
    b.loop(zero, b.index(whole), 1, [&](Value panel) {
      addValues(tile.components, panel, keys, factors);
    });
    if (rest)
      addValues(rest, b.index(whole), keys, factors);
  }

  /// Outputs of the block, divided by the sums and transposed, to `out`.
  void storeOutputs() {
    Value zero = b.index(0);
    int64_t e = spec.valueComponents;
    Values factors;
    for (Value sum : loadRow(sums, zero))
      factors.push_back(inverted(sum));
    b.loop(zero, b.index(e), 1, [&](Value component) {
      Values row = loadRow(outputs, component);
      // Adding 0 makes one zero of the two: which one it was may have followed
      // from the sign of a blocked value.
      for (int64_t v = 0; v < tile.queryVectors; ++v)
        row[v] = b.fma(row[v], factors[v], b.splat(0.0));
      storeRow(row, outputs, component);
    });

    int64_t whole = isAdjacent(o.out, spec.outMap, spec.numBatch + 3)
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
              b.storeVector(vector, o.out,
                            at(spec.outMap, t, {}, {}, component));
            });
          }
        });
    if (whole < e)
      b.loop(firstQuery, endQuery, 1, [&](Value t) {
        b.loop(b.index(whole), b.index(e), 1, [&](Value component) {
          Value x = b.load(outputs, {component, b.sub(t, firstQuery)});
          b.store(x, o.out, at(spec.outMap, t, {}, {}, component));
        });
      });
  }

  void run() {
    forEachUnit([&] {
      forEachBlock([&] {
        KeyBounds bounds = blockBounds();
        b.when(b.compare(Predicate::sge, bounds.from, bounds.to),
               [&] { clearResults(firstQuery, endQuery); });
      });
      forEachTile(/*begins=*/true, [&](const TileKeys &keys) {
        attendTile(keys);
        b.when(keys.isLast, [&] { storeOutputs(); });
      });
    });
  }
};

/// Scores are made twice: first for the maxima and sums, then for the result.
struct AttentionWeights : BlockEmitter {
  using BlockEmitter::BlockEmitter;

  void sumTile(const TileKeys &keys) {
    Value zero = b.index(0);
    Values before = loadRow(maxima, zero), total = loadRow(sums, zero);
    Values after = scoreTile(keys, before);
    Values added = weighTile(keys, after);
    for (int64_t v = 0; v < tile.queryVectors; ++v) {
      Value factor =
          emitExp2NonPositive(b, b.getLoc(), b.subf(before[v], after[v]));
      total[v] = b.fma(total[v], factor, added[v]);
    }
    storeRow(after, maxima, zero);
    storeRow(total, sums, zero);
  }

  void storeTile(const TileKeys &keys) {
    Value zero = b.index(0);
    Values top = loadRow(maxima, zero);
    scoreTile(keys, top);
    weighTile(keys, top);
    Values factors;
    for (Value sum : loadRow(sums, zero))
      factors.push_back(inverted(sum));
    b.loop(keys.row(b, keys.from), keys.row(b, keys.to), 1, [&](Value row) {
      Values weights = loadRow(scores, row);
      for (int64_t v = 0; v < tile.queryVectors; ++v)
        weights[v] = b.mulf(weights[v], factors[v]);
      storeRow(weights, scores, row);
    });
    b.loop(firstQuery, endQuery, 1, [&](Value t) {
      b.loop(keys.from, keys.to, 1, [&](Value s) {
        Value weight = b.load(scores, {keys.row(b, s), b.sub(t, firstQuery)});
        b.store(weight, o.out, at(spec.outMap, t, s));
      });
    });
  }

  void clear(Value from, Value to) {
    b.loop(firstQuery, endQuery, 1, [&](Value t) {
      b.loop(from, to, 1, [&](Value s) {
        b.store(b.scalar(0.0), o.out, at(spec.outMap, t, s));
      });
    });
  }

  void run() {
    forEachUnit([&] {
      forEachTile(/*begins=*/true,
                  [&](const TileKeys &keys) { sumTile(keys); });
      forEachTile(/*begins=*/false,
                  [&](const TileKeys &keys) { storeTile(keys); });
      forEachBlock([&] {
        KeyBounds bounds = blockBounds();
        clear(b.index(0), b.min(bounds.from, numKeys));
        clear(bounds.to, numKeys);
      });
    });
  }
};

} // namespace

int64_t nax::kernelScratchBytes(Operation *op) {
  std::optional<AttentionSpec> spec;
  if (auto attention = dyn_cast<kernel::AttentionOp>(op))
    spec = AttentionSpec::get(attention);
  else if (auto weights = dyn_cast<kernel::AttentionWeightsOp>(op))
    spec = AttentionSpec::get(weights);
  else
    return 0;
  int64_t bytes = 0;
  for (StringRef level : {"v3", "v4"}) {
    BlockScratch blocks(*spec, BlockTile::get(*CpuTarget::get(level)));
    bytes = std::max(bytes, blocks.bytes * NAXRT_SLOTS);
  }
  // The two forms run one after the other.
  return spec->cached() ? std::max(bytes, OneScratch(*spec).bytes()) : bytes;
}

void nax::emitAttention(KernelBuilder &b, kernel::AttentionOp op,
                        ValueRange args, const CpuTarget &cpu) {
  AttentionSpec spec = AttentionSpec::get(op);
  kernel::AttentionOp::Adaptor given(args, op);
  AttentionOperands operands{
      given.getQ(),    given.getK(),      given.getV(),
      given.getOut(),  given.getKc(),     given.getVc(),
      given.getSpan(), given.getExtras(), given.getScratch()};
  if (!spec.cached())
    return Attention(b, spec, operands, cpu).run();
  emitAttentionOfOne(b, spec, operands, cpu);
  Value queries = b.dim(given.getQ(), positionOf(spec.queryMap, spec.numBatch));
  b.when(b.compare(Predicate::sgt, queries, b.index(1)),
         [&] { Attention(b, spec, operands, cpu).run(); });
}

void nax::emitAttentionWeights(KernelBuilder &b, kernel::AttentionWeightsOp op,
                               ValueRange args, const CpuTarget &cpu) {
  AttentionSpec spec = AttentionSpec::get(op);
  kernel::AttentionWeightsOp::Adaptor given(args, op);
  AttentionOperands operands{
      given.getQ(), given.getK(), Value(),           given.getOut(),    Value(),
      Value(),      Value(),      given.getExtras(), given.getScratch()};
  AttentionWeights(b, spec, operands, cpu).run();
}
