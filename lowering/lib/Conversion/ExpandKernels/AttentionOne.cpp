//===- AttentionOne.cpp - one query and a tile of keys --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "AttentionOne.h"

#include "nax/Conversion/MathBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nax;

using Predicate = KernelBuilder::Predicate;

/// The processor foresees the way through a strip but not the jumps between
/// strips: what so many positions later is read is asked for. Past the end of
/// a buffer nothing is fetched.
static constexpr int64_t kAhead = 16;

/// Values of one head at a time, before those of the head beside it.
static constexpr int64_t kStripKeys = 16;

OneQuery::OneQuery(KernelBuilder &b, const AttentionSpec &spec,
                   const AttentionOperands &operands, const CpuTarget &cpu)
    : AttentionEmitter(b, spec, operands), layout(spec) {
  sums = cpu.vectors / 2;
  groupKeys = kLanes / (layout.heads == 3 ? 4 : layout.heads);
}

/// Sixteen components of a query, a key or a value, zeros past `lanes`.
Value OneQuery::loadPart(Value memref, AffineMap map, unsigned dim, Value key,
                         Value component, int64_t lanes) {
  auto place = [&](Value component) {
    return at(map, firstQuery, key, component, component);
  };
  if (isAdjacent(memref, map, dim))
    return b.loadLanes(memref, place(component), lanes);
  return b.loop(b.index(0), b.index(lanes), 1, b.splat(0.0),
                [&](Value lane, ValueRange vector) {
                  Value x = b.load(memref, place(b.add(component, lane)));
                  return Values{
                      vector::InsertOp::create(b, x, vector[0], lane)};
                })[0];
}

/// Asks for `lanes` components of a key or a value to be in the L2 cache soon.
void OneQuery::fetchAhead(Value memref, AffineMap map, Value key, int64_t first,
                          int64_t lanes) {
  for (int64_t i = first; i < first + lanes; i += kLanes) {
    Value line = b.index(i);
    memref::PrefetchOp::create(
        b, memref, at(map, firstQuery, b.add(key, kAhead), line, line),
        /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
  }
}

void OneQuery::loadQueries() {
  Value scale = b.splat(spec.scale * M_LOG2E);
  forEachQuery([&](Value query) {
    for (int64_t first = 0; first < spec.components; first += kLanes) {
      Value part =
          loadPart(o.q, spec.queryMap, spec.numBatch + 2, {}, b.index(first),
                   std::min(kLanes, spec.components - first));
      b.storeVector(b.mulf(part, scale), queries, {query, b.index(first)});
    }
  });
}

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

/// Dot products of the keys from `s` on, those of one head side by side. Where
/// the run is not that long, its last key takes the place of others.
Value OneQuery::dotsOf(const Heads &these, const KeyRun &run, Value s,
                       bool isWhole) {
  int64_t heads = layout.heads, atOnce = std::max<int64_t>(1, sums / heads);
  int64_t whole = spec.components / kLanes, rest = spec.components % kLanes;
  Value last = b.sub(run.to, b.index(1));
  Values rows(kLanes, b.splat(0.0));
  for (int64_t first = 0; first < groupKeys; first += atOnce) {
    int64_t count = std::min(atOnce, groupKeys - first);
    Values keys;
    for (int64_t r = 0; r < count; ++r) {
      Value key = b.add(s, first + r);
      keys.push_back(b.sub(isWhole ? key : b.min(key, last), run.base));
    }
    for (Value key : keys)
      fetchAhead(run.memref, spec.keyMap, key, 0, spec.components);
    auto addPart = [&](Value component, int64_t lanes, Values sum) {
      Values parts;
      for (int64_t j = 0; j < heads; ++j)
        parts.push_back(b.loadVector(queries, {queryRow(these, j), component}));
      for (int64_t r = 0; r < count; ++r) {
        Value key = loadPart(run.memref, spec.keyMap, spec.numBatch + 2,
                             keys[r], component, lanes);
        for (int64_t j = 0; j < heads; ++j)
          sum[j * count + r] = b.fma(key, parts[j], sum[j * count + r]);
      }
      return sum;
    };
    Values sum(heads * count, b.splat(0.0));
    sum = b.unrolledLoop(b.index(0), b.index(whole), kUnroll, sum,
                         [&](Value part, Values sum) {
                           return addPart(b.mul(part, kLanes), kLanes, sum);
                         });
    if (rest)
      sum = addPart(b.index(whole * kLanes), rest, sum);
    for (int64_t j = 0; j < heads; ++j)
      for (int64_t r = 0; r < count; ++r)
        rows[j * groupKeys + first + r] = sum[j * count + r];
  }
  return b.sumOfEach(rows);
}

void OneQuery::makeDots(Value tileStart, Value from, Value to) {
  auto makeGroup = [&](const KeyRun &run, Value s, bool isWhole) {
    forEachHeads([&](const Heads &these) {
      Value dots = dotsOf(these, run, s, isWhole);
      for (int64_t j = 0; j < layout.heads; ++j)
        b.storeVector(b.slice(dots, j * groupKeys, groupKeys), scores,
                      {scoreRow(these, j), b.sub(s, tileStart)});
    });
  };
  // What a group that sticks out of its run leaves behind is overwritten by
  // the next run, or past the end.
  forEachRun(o.k, o.keyCache, from, to, {}, [&](const KeyRun &run, Values) {
    Value rest = b.rem(b.sub(run.to, run.from), b.index(groupKeys));
    Value whole = b.sub(run.to, rest);
    b.loop(run.from, whole, groupKeys,
           [&](Value s) { makeGroup(run, s, true); });
    b.when(b.compare(Predicate::sgt, rest, b.index(0)),
           [&] { makeGroup(run, whole, false); });
    return Values();
  });
}

//===----------------------------------------------------------------------===//
// Scores and weights
//===----------------------------------------------------------------------===//

void OneQuery::stageExtras(const Heads &these, Value tileStart, Value from,
                           Value to) {
  for (auto [extra, memref] : extraRows) {
    Value rows = memref;
    Type element = cast<MemRefType>(rows.getType()).getElementType();
    for (int64_t j = 0; j < layout.heads; ++j) {
      setBatch(spec.groupDims, headNumber(these, j));
      forEachKeyOf(extra, from, to, [&](Value value, Value s) {
        if (value.getType() != element)
          value = arith::ExtUIOp::create(b, element, value);
        b.store(value, rows, {b.index(j), b.sub(s, tileStart)});
      });
    }
  }
}

/// What an extra says to head number `j` about the keys from `column` on.
Value OneQuery::ofKeys(int64_t extra, int64_t j, Value column) {
  if (Value rows = extraRows.lookup(extra))
    return b.loadVector(rows, {b.index(j), column});
  return loadExtra(extra, firstQuery);
}

/// Runs `body` for each vector of a tile's row that has keys in [from, to).
Values OneQuery::forEachLanes(Value tileStart, Value from, Value to,
                              Values init,
                              llvm::function_ref<Values(Value, Values)> body) {
  Value lanes = b.index(kLanes);
  Value first = b.mul(b.div(b.sub(from, tileStart), lanes), lanes);
  return b.loop(first, b.sub(to, tileStart), kLanes, init,
                [&](Value column, ValueRange carried) {
                  return body(column, Values(carried));
                });
}

/// Dot products to scores; returns the maxima of these and `maxima`.
Values OneQuery::makeScores(const Heads &these, Value tileStart, Value from,
                            Value to, ValueRange maxima) {
  Value t = b.toI32(position(firstQuery));
  Values slopes(layout.heads);
  for (int64_t j = 0; spec.alibi && j < layout.heads; ++j) {
    setBatch(spec.groupDims, headNumber(these, j));
    slopes[j] = negatedSlope();
  }
  auto body = [&](Value column, Values largest) {
    Value s = arith::AddIOp::create(
        b, b.broadcast(b.toI32(b.add(tileStart, column))), b.iota(0));
    Value inside = b.both(compare(Predicate::sge, s, b.toI32(from)),
                          compare(Predicate::slt, s, b.toI32(to)));
    for (int64_t j = 0; j < layout.heads; ++j) {
      setBatch(spec.groupDims, headNumber(these, j));
      auto documents = [&](int64_t extra) {
        return std::pair<Value, Value>(loadExtra(extra, firstQuery),
                                       ofKeys(extra, j, column));
      };
      auto truth = [&](int64_t extra) { return ofKeys(extra, j, column); };
      Pairs pairs{t, s, documents, truth};
      Value bias;
      if (spec.bias) {
        bias = ofKeys(*spec.bias, j, column);
        bias = isa<VectorType>(bias.getType()) ? bias : b.broadcast(bias);
      }
      Value x = scored(b.loadVector(scores, {scoreRow(these, j), column}), bias,
                       slopes[j], pairs);
      Value open = inside;
      if (spec.mask && !spec.boundsAreExact()) {
        Value more = allowed(spec.mask, pairs);
        open = b.both(
            open, isa<VectorType>(more.getType()) ? more : b.broadcast(more));
      }
      x = b.select(open, x, b.splat(-std::numeric_limits<double>::infinity()));
      b.storeVector(x, scores, {scoreRow(these, j), column});
      largest[j] = b.maxf(x, largest[j]);
    }
    return largest;
  };
  Values largest = forEachLanes(tileStart, from, to, Values(maxima), body);
  for (Value &x : largest)
    x = b.largestOfLanes(x);
  return largest;
}

/// Scores to weights below `maxima`; returns their sums, still in lanes.
Values OneQuery::makeWeights(const Heads &these, Value tileStart, Value from,
                             Value to, ValueRange maxima) {
  Values top(maxima), zeros(layout.heads, b.splat(0.0));
  return forEachLanes(
      tileStart, from, to, zeros, [&](Value column, Values sum) {
        for (int64_t j = 0; j < layout.heads; ++j) {
          Value x = b.loadVector(scores, {scoreRow(these, j), column});
          x = emitExp2NonPositive(b, b.getLoc(), b.subf(x, top[j]));
          b.storeVector(x, scores, {scoreRow(these, j), column});
          sum[j] = b.addf(sum[j], x);
        }
        return sum;
      });
}

/// Scores of a tile to weights; what there is of outputs is scaled to them.
void OneQuery::weigh(const Heads &these, Value tileStart, Value from,
                     Value to) {
  int64_t heads = layout.heads;
  // A head that is done twice is read before it is written.
  auto statesOf = [&](int64_t vector) {
    Values found;
    for (int64_t j = 0; j < heads; ++j)
      found.push_back(state(slot, queryRow(these, j), vector));
    return found;
  };
  stageExtras(these, tileStart, from, to);
  Values before = statesOf(0), total = statesOf(1), factors;
  Values after = makeScores(these, tileStart, from, to, before);
  Values added = makeWeights(these, tileStart, from, to, after);
  for (int64_t j = 0; j < heads; ++j) {
    factors.push_back(
        emitExp2NonPositive(b, b.getLoc(), b.subf(before[j], after[j])));
    setState(after[j], slot, queryRow(these, j), 0);
    setState(b.fma(total[j], factors[j], added[j]), slot, queryRow(these, j),
             1);
  }
  for (int64_t i = 2; i < layout.stateVectors(); ++i) {
    Values outputs = statesOf(i);
    for (int64_t j = 0; j < heads; ++j)
      setState(b.mulf(outputs[j], factors[j]), slot, queryRow(these, j), i);
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Adds `count` vectors of the value of position `s` from `first` on.
Values OneQuery::addValue(const Heads &these, const KeyRun &run,
                          Value tileStart, Value s, int64_t first,
                          int64_t count, Values sum) {
  bool mayBlock = !spec.boundsAreExact();
  Value key = b.sub(s, run.base);
  fetchAhead(run.memref, spec.valueMap, key, first * kLanes, count * kLanes);
  Values weights, open;
  for (int64_t j = 0; j < layout.heads; ++j) {
    weights.push_back(
        b.broadcast(b.load(scores, {scoreRow(these, j), b.sub(s, tileStart)})));
    if (mayBlock)
      open.push_back(arith::CmpFOp::create(b, arith::CmpFPredicate::UNE,
                                           weights[j], b.splat(0.0)));
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t component = (first + i) * kLanes;
    Value value = loadPart(run.memref, spec.valueMap, spec.numBatch + 3, key,
                           b.index(component),
                           std::min(kLanes, spec.valueComponents - component));
    for (int64_t j = 0; j < layout.heads; ++j) {
      Value &total = sum[j * count + i];
      Value more = b.fma(value, weights[j], total);
      total = mayBlock ? b.select(open[j], more, total) : more;
    }
  }
  return sum;
}

/// Adds the values of a run to the outputs.
void OneQuery::addStrip(const Heads &these, const KeyRun &run,
                        Value tileStart) {
  int64_t heads = layout.heads, atOnce = std::max<int64_t>(1, sums / heads);
  for (int64_t first = 0; first < layout.valueVectors; first += atOnce) {
    int64_t count = std::min(atOnce, layout.valueVectors - first);
    auto forEachSum = [&](llvm::function_ref<void(int64_t, Value, int64_t)> f) {
      for (int64_t j = 0; j < heads; ++j)
        for (int64_t i = 0; i < count; ++i)
          f(j * count + i, queryRow(these, j), 2 + first + i);
    };
    Values sum(heads * count);
    forEachSum([&](int64_t n, Value query, int64_t vector) {
      sum[n] = state(slot, query, vector);
    });
    sum = b.unrolledLoop(run.from, run.to, kUnroll, sum,
                         [&](Value s, Values sum) {
                           return addValue(these, run, tileStart, s, first,
                                           count, std::move(sum));
                         });
    forEachSum([&](int64_t n, Value query, int64_t vector) {
      setState(sum[n], slot, query, vector);
    });
  }
}

void OneQuery::addValues(Value tileStart, Value from, Value to) {
  forEachRun(o.v, o.valueCache, from, to, {}, [&](const KeyRun &run, Values) {
    b.loop(run.from, run.to, kStripKeys, [&](Value s) {
      Value end = b.min(b.add(s, kStripKeys), run.to);
      KeyRun strip{run.memref, s, end, run.base};
      forEachHeads(
          [&](const Heads &these) { addStrip(these, strip, tileStart); });
    });
    return Values();
  });
}

void OneQuery::attendTile(Value tileStart, Value from, Value to) {
  makeDots(tileStart, from, to);
  forEachHeads([&](const Heads &these) { weigh(these, tileStart, from, to); });
  addValues(tileStart, from, to);
}
