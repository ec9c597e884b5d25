//===- GpuAttentionWeights.cpp - the weights of attention alone -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Keys are walked over twice: for the maxima and sums, then for the weights,
// whose scores are made again by the same arithmetic.
//
//===----------------------------------------------------------------------===//

#include "GpuAttention.h"

using namespace mlir;
using namespace nax;

/// The weights of a tile, [key / 8][row][2], to the rows that are there.
void GpuAttention::storeWeightRows(Value tileStart, ValueRange weights) {
  Value column = b.add(tileStart, b.shiftLeft(b.rem(lane, 4), 1));
  for (unsigned i : {0, 1})
    b.when(rows[i].valid, [&] {
      for (size_t number = 0; number < weights.size(); ++number) {
        if (number / 2 % 2 != i)
          continue;
        Value s = b.add(column, number / 4 * 8 + number % 2);
        b.when(b.less(s, numKeys), [&] {
          b.store(b.fromF32(weights[number], o.out.element()),
                  o.out.at(b, at(spec.outMap, rows[i].batch, rows[i].t, s)));
        });
      }
    });
}

void GpuAttention::runWeights() {
  Value firstQuery = beginBlock();
  takeQueries(firstQuery);
  Value endQuery = b.min(b.add(firstQuery, tile.rows()), numQueries);
  KeyBounds bounds = keyBounds(firstQuery, endQuery);
  beginTile(bounds);
  copyQueries();
  b.commitCopies();
  b.waitCopies(0);
  b.barrier();
  loadQueries();

  auto scoresOf = [&](Value tileStart) {
    // All are done with what is in the slot.
    b.barrier();
    copyKeys(tileStart, bounds, false);
    b.commitCopies();
    b.waitCopies(0);
    b.barrier();
    Value end = b.add(tileStart, tile.keys);
    return scores(
        tileStart,
        b.bitAnd(b.compare(Predicate::sge, tileStart, bounds.fullFrom),
                 b.compare(Predicate::sle, end, bounds.fullTo)));
  };
  State begin = initialState();
  begin.sums.clear();
  Value first = b.mul(b.div(bounds.from, tile.keys), tile.keys);
  State state = unflat(b.loop(first, bounds.to, tile.keys, flat(begin),
                              [&](Value tileStart, ValueRange carried) {
                                State state = unflat(carried);
                                weigh(scoresOf(tileStart), state);
                                return flat(state);
                              }));
  Value factors[] = {inverted(b.sumOfLanes(state.weights[0], 4)),
                     inverted(b.sumOfLanes(state.weights[1], 4))};
  // Tiles that no query of the block may read are written, too: as zeros.
  b.loop(b.i32(0), numKeys, tile.keys, [&](Value tileStart) {
    // The maxima are those of all tiles already, so nothing is scaled.
    State same{{}, state.maxima, Values(2, b.f32(0))};
    Values weights = weigh(scoresOf(tileStart), same);
    for (auto [number, weight] : llvm::enumerate(weights))
      weight = b.mulf(weight, factors[number / 2 % 2]);
    storeWeightRows(tileStart, weights);
  });
}
