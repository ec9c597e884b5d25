//===- Dot.cpp - rows times a packed matrix -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// For each block of rows, for each panel, for each tile of rows: accumulators
// stay in registers over all of K, the panel stays in the L2 cache over all
// tiles, rows are read as they are. No part of K is summed apart, so an
// element's sum has one order whatever tile, chunk or number of rows it belongs
// to. An epilogue is applied to the accumulators, before they are stored.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"

using namespace mlir;
using namespace nax;

namespace {

/// Multiplications in a chunk that is worth handing to another thread. With
/// fewer rows than `kFewRows` a chunk takes as long as its panels need to come
/// from memory, as if there were so many.
constexpr int64_t kGrain = 1 << 17, kFewRows = 8;
/// Chunks are a multiple of this where there are more: threads take them in
/// equal shares.
constexpr int64_t kShares = 16;
/// Bytes of rows in a block, and the least number of its tiles: the first one
/// has to wait for the panel, which is farther away.
constexpr int64_t kBlockBytes = 1 << 19;
constexpr int64_t kLeastTiles = 16;

struct Dot {
  KernelBuilder &b;
  Value rows, panels, result; // [M,K], [N/NR,K,NR], [M,N]
  int64_t tileRows, k;
  Epilogue epilogue;

  /// The columns of one panel that the result has.
  struct Columns {
    int64_t vectors, lanesOfLast;

    int64_t lanes(int64_t vector) const {
      return vector + 1 == vectors ? lanesOfLast : kLanes;
    }
  };

  /// `count` rows from `row` on, times panel `panel` (which starts at
  /// `column`).
  void tile(int64_t count, Value row, Value panel, Value column, Columns cols) {
    Values zeros(count * cols.vectors, b.splat(0.0)), rowAt, columnAt;
    for (int64_t r = 0; r < count; ++r)
      rowAt.push_back(b.add(row, r));
    for (int64_t v = 0; v < cols.vectors; ++v)
      columnAt.push_back(b.add(column, v * kLanes));

    Values sums = b.unrolledLoop(
        b.index(0), b.index(k), kUnroll, zeros, [&](Value at, Values sum) {
          Values packed;
          for (int64_t v = 0; v < cols.vectors; ++v)
            packed.push_back(
                b.loadVector(panels, {panel, at, b.index(v * kLanes)}));
          for (int64_t r = 0; r < count; ++r) {
            Value x = b.broadcast(b.load(rows, {rowAt[r], at}));
            for (int64_t v = 0; v < cols.vectors; ++v) {
              Value &s = sum[r * cols.vectors + v];
              s = b.fma(x, packed[v], s);
            }
          }
          return sum;
        });

    SmallVector<Values> columns;
    for (int64_t v = 0; v < cols.vectors; ++v)
      columns.push_back(epilogue.loadColumns(columnAt[v], cols.lanes(v)));
    for (int64_t r = 0; r < count; ++r)
      for (int64_t v = 0; v < cols.vectors; ++v) {
        Value made = epilogue.apply(sums[r * cols.vectors + v], rowAt[r],
                                    columnAt[v], cols.lanes(v), columns[v]);
        b.storeLanes(made, result, {rowAt[r], columnAt[v]}, cols.lanes(v));
      }
  }

  /// Rows `from` to `to` times one panel: full tiles, then what is left by
  /// smaller and smaller ones, so that nothing out of bounds is touched.
  void rowsTimesPanel(Value from, Value to, Value panel, Value column,
                      Columns cols) {
    Value count = b.sub(to, from);
    Value left = b.rem(count, b.index(tileRows));
    Value row = b.sub(to, left);
    b.loop(from, row, tileRows,
           [&](Value at) { tile(tileRows, at, panel, column, cols); });
    int64_t size = 1;
    while (size * 2 < tileRows)
      size *= 2;
    for (; size >= 1; size /= 2) {
      Value fits =
          b.compare(KernelBuilder::Predicate::sge, left, b.index(size));
      b.when(fits, [&] { tile(size, row, panel, column, cols); });
      Value step = b.select(fits, b.index(size), b.index(0));
      left = b.sub(left, step);
      row = b.add(row, step);
    }
  }
};

} // namespace

void nax::emitDot(KernelBuilder &b, kernel::DotOp op, ValueRange args,
                  const CpuTarget &cpu) {
  ArrayRef<int64_t> shape =
      cast<MemRefType>(op.getPanels().getType()).getShape();
  int64_t n = cast<MemRefType>(op.getC().getType()).getDimSize(1);
  int64_t numPanels = shape[0], k = shape[1], width = shape[2];
  // As many accumulators as the level's own tile has.
  int64_t tileRows =
      width == cpu.nr ? cpu.mr
                      : std::clamp<int64_t>(cpu.mr * cpu.nr / width, 1, cpu.mr);
  Epilogue epilogue(b, op, args.slice(3, op.getExtras().size()),
                    args.drop_front(op->getNumOperands()));
  Dot dot{b, args[0], args[1], args[2], tileRows, k, epilogue};
  int64_t fullPanels = n / width, rest = n - fullPanels * width;

  // Chunks are blocks of rows by ranges of panels. Those of one block follow
  // each other: its rows stay in the L2 cache while panels pass by.
  Value m = b.dim(dot.rows, 0);
  Value tiles = b.ceilDiv(m, b.index(tileRows));
  Value wanted = b.div(b.mul(b.max(m, b.index(kFewRows)), n * k),
                       b.index(kGrain));
  wanted = b.min(b.add(wanted, 1), b.index(kMaxChunks));
  int64_t tilesOfBlock =
      std::max(kLeastTiles, kBlockBytes / (4 * k * tileRows));
  Value blocks = b.ceilDiv(tiles, b.index(tilesOfBlock));
  Value ranges =
      b.min(b.ceilDiv(wanted, b.max(blocks, b.index(1))), b.index(numPanels));
  Value even = b.sub(ranges, b.rem(ranges, b.index(kShares)));
  ranges = b.select(b.compare(KernelBuilder::Predicate::sgt, even, b.index(0)),
                    even, ranges);
  b.parallel(b.mul(blocks, ranges), [&](Value chunk) {
    auto [firstPanel, endPanel] =
        b.share(b.index(numPanels), b.rem(chunk, ranges), ranges);
    auto [firstTile, endTile] = b.share(tiles, b.div(chunk, ranges), blocks);
    Value from = b.mul(firstTile, tileRows);
    Value to = b.min(b.mul(endTile, tileRows), m);
    b.loop(firstPanel, b.min(endPanel, b.index(fullPanels)), 1,
           [&](Value panel) {
             dot.rowsTimesPanel(from, to, panel, b.mul(panel, width),
                                {width / kLanes, kLanes});
           });
    if (rest)
      b.when(b.compare(KernelBuilder::Predicate::sgt, endPanel,
                       b.index(fullPanels)),
             [&] {
               int64_t vectors = (rest + kLanes - 1) / kLanes;
               dot.rowsTimesPanel(from, to, b.index(fullPanels),
                                  b.index(fullPanels * width),
                                  {vectors, rest - (vectors - 1) * kLanes});
             });
  });
}
