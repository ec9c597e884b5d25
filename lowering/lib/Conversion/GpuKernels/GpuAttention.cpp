//===- GpuAttention.cpp - blocks of queries -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "GpuAttention.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace nax;

/// Maxima begin at it, so that -inf minus a maximum never is a NaN.
static constexpr double kLowest = std::numeric_limits<float>::lowest();

AttentionTile AttentionTile::get(const AttentionSpec &spec, Type element,
                                 Type factor, bool isOne) {
  auto padded = [](int64_t components) {
    return int64_t(llvm::alignTo(std::max<int64_t>(components, 1), 16));
  };
  int64_t d = padded(spec.components), e = padded(spec.valueComponents);
  int64_t widest = std::max(d, e), bytes = element.getIntOrFloatBitWidth() / 8;
  int64_t warps = widest <= (factor.isF32() ? 64 : 512 / bytes) ? 4 : 2;
  AttentionTile tile{element,
                     factor,
                     warps,
                     /*keys=*/128 / bytes,
                     SharedTile(element, d),
                     SharedTile(element, e),
                     SharedTile(element, 128 / bytes),
                     !factor.isF32() && widest * bytes <= 256};
  while (tile.sharedBytes() > kMaxSharedBytes) {
    tile.keys /= 2;
    tile.weightTile = SharedTile(element, tile.keys);
  }
  if (isOne)
    tile.warps = 1;
  return tile;
}

GpuAttention::GpuAttention(GpuBuilder &b, const AttentionSpec &spec,
                           const AttentionTile &tile, AttentionViews views)
    : b(b), spec(spec), tile(tile), o(std::move(views)) {
  factor = spec.scale * M_LOG2E;
  // A product may be -FLT_MAX, at first, and must not become -inf.
  isPlain = !spec.cap && !spec.bias && !spec.alibi && factor > 0 && factor <= 1;
  arena = b.shared();
  lane = b.lane();
  warp = b.warp();
  callQueries = o.q.sizes[positionOf(spec.queryMap, spec.numBatch)];
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

GpuAttention::State GpuAttention::initialState() {
  return {Values(tile.valueComponents() / 2, b.f32(0)),
          Values(2, b.f32(kLowest)), Values(2, b.f32(0))};
}
Values GpuAttention::flat(const State &state) {
  Values all = state.sums;
  llvm::append_range(all, state.maxima);
  llvm::append_range(all, state.weights);
  return all;
}
GpuAttention::State GpuAttention::unflat(ValueRange values) {
  size_t count = values.size() - 4;
  return {Values(values.take_front(count)), Values(values.slice(count, 2)),
          Values(values.take_back(2))};
}

//===----------------------------------------------------------------------===//
// Tiles of keys
//===----------------------------------------------------------------------===//

Value GpuAttention::keySlot(Value tileStart) {
  Value slot = b.rem(b.div(tileStart, tile.keys), 2);
  return b.atByte(arena, b.add(b.mul(slot, tile.slotBytes()), tile.slotsAt()));
}
Value GpuAttention::valueSlot(Value tileStart) {
  return b.atByte(keySlot(tileStart), b.i32(tile.keyTile.bytes(tile.keys)));
}

void GpuAttention::copyQueries() {
  TileCopy copy(b, tile.keyTile, tile.rows(), b.threadId(), tile.threads());
  copy.copy(
      arena,
      [&](Value number) {
        QueryRow row = rowOf(number);
        return SourceRow{o.q.at(b, at(spec.queryMap, row.batch, row.t)),
                         row.valid};
      },
      columnsOf(o.q, nullptr, spec.queryMap, spec.numBatch + 2,
                spec.components));
}

void GpuAttention::copyKeys(Value tileStart, const KeyBounds &bounds,
                            bool withValues) {
  auto copyOne = [&](const SharedTile &shape, Value slot,
                     const GlobalView &view, const GlobalView *cache,
                     AffineMap map, unsigned dim, int64_t count) {
    TileCopy copy(b, shape, tile.keys, b.threadId(), tile.threads());
    copy.copy(
        slot,
        [&](Value number) {
          Value s = b.add(tileStart, number);
          Value valid = b.bitAnd(b.compare(Predicate::sge, s, bounds.from),
                                 b.less(s, bounds.to));
          return SourceRow{
              keyPointer(view, cache, map, spec.numBatch + 1, batch, s), valid};
        },
        columnsOf(view, cache, map, dim, count));
  };
  auto cacheOf = [](std::optional<GlobalView> &cache) {
    return cache ? &*cache : nullptr;
  };
  copyOne(tile.keyTile, keySlot(tileStart), o.k, cacheOf(o.keyCache),
          spec.keyMap, spec.numBatch + 2, spec.components);
  if (withValues)
    copyOne(tile.valueTile, valueSlot(tileStart), o.v, cacheOf(o.valueCache),
            spec.valueMap, spec.numBatch + 3, spec.valueComponents);
}

void GpuAttention::beginTile(const KeyBounds &bounds) {
  loaded = bounds;
  for (int i : {0, 1}) {
    Value number = b.add(b.add(b.mul(warp, 16), b.div(lane, 4)), 8 * i);
    rows[i] = rowOf(number);
    rows[i].number = number;
    placeRow(rows[i]);
  }
}

GpuAttention::State GpuAttention::attend(const KeyBounds &bounds) {
  beginTile(bounds);
  Value first = b.mul(b.div(bounds.from, tile.keys), tile.keys);
  copyQueries();
  if (o.cosines)
    b.commitCopies();
  copyKeys(first, bounds, true);
  b.commitCopies();
  if (o.cosines)
    rotateQueries();
  b.waitCopies(0);
  b.barrier();
  loadQueries();
  return unflat(b.loop(
      first, bounds.to, tile.keys, flat(initialState()),
      [&](Value tileStart, ValueRange carried) {
        State state = unflat(carried);
        // This tile is there for all, and all are done with the one before,
        // whose slot the next one takes.
        b.waitCopies(0);
        b.barrier();
        Value next = b.add(tileStart, tile.keys);
        b.when(b.less(next, bounds.to), [&] { copyKeys(next, bounds, true); });
        b.commitCopies();
        Value isFull =
            b.bitAnd(b.compare(Predicate::sge, tileStart, bounds.fullFrom),
                     b.compare(Predicate::sle, next, bounds.fullTo));
        Values weights = weigh(scores(tileStart, isFull), state);
        addValues(weights, keySlot(tileStart), valueSlot(tileStart), isFull,
                  state);
        return flat(state);
      }));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Value GpuAttention::beginBlock() {
  Value number = b.blockId(gpu::Dimension::x);
  SmallVector<unsigned> dims =
      llvm::to_vector(llvm::seq<unsigned>(0, spec.numBatch));
  Value all = extentOf(dims);
  setBatch(batch, dims, b.rem(number, all));
  Value last = b.sub(b.ceilDiv(callQueries, tile.rows()), b.i32(1));
  beginRow();
  // Blocks of the last queries have most keys and go first.
  return b.mul(b.sub(last, b.div(number, all)), tile.rows());
}

void GpuAttention::takeQueries(Value first) {
  rowOf = [=, this](Value number) {
    Value t = b.add(first, number);
    QueryRow row;
    row.batch = batch;
    row.t = b.min(t, b.sub(numQueries, b.i32(1)));
    row.valid = b.less(t, numQueries);
    return row;
  };
}

void GpuAttention::runBlocks() {
  Value firstQuery = beginBlock();
  auto attendBlock = [&] {
    takeQueries(firstQuery);
    Value endQuery = b.min(b.add(firstQuery, tile.rows()), numQueries);
    storeResults(attend(keyBounds(firstQuery, endQuery)));
  };
  if (!spec.cached())
    return attendBlock();
  // A row with one query is another kernel's.
  b.when(b.compare(Predicate::sgt, numQueries, b.i32(1)), [&] {
    Value end = b.min(b.add(firstQuery, tile.rows()), callQueries);
    clearResults(b.max(firstQuery, numQueries), end);
    b.when(b.less(firstQuery, numQueries), attendBlock);
  });
}
