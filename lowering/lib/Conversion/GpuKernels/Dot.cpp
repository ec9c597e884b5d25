//===- Dot.cpp - rows times a matrix, on tiles ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// c[m, n] = sum over k of a[m, k] w[n, k]. Rows of both are copied in stages of
// 128 bytes of k by cp.async, while stages that have arrived are multiplied:
// f16, bf16 and tf32 by mma.sync, f32 by fused multiplications in the order of
// k. What is tf32 to a tensor core is f32 up to there and rounded then.
//
// The order of a sum follows from N and K alone. K is cut into slices; each is
// summed from 0 in the order of k (mma.sync takes 32 bytes of k at once), then
// slices are added in their order. Two kernels do that: tiles of many rows take
// slices one after another, and for up to 16 rows, where all time goes into
// reading the matrix, each slice has a warp of its own. Rows that are not there
// are zeros in a tile, so no row sees another.
//
//===----------------------------------------------------------------------===//

#include "DotResult.h"
#include "SharedTile.h"

#include <tuple>

using namespace mlir;
using namespace nax;

namespace {

class DotKernel {
public:
  DotKernel(GpuBuilder &b, const DotShape &shape, const DotTile &tile,
            ArrayRef<GlobalView> views, const DotEpilogue &epilogue)
      : b(b), shape(shape), tile(tile), a(views[0]), w(views[1]),
        shared(shape.element, shape.stageColumns()), numRows(a.sizes[0]),
        result(b, shape, tile, views, epilogue, threadsOfTile()) {}

  void run() {
    arena = b.shared();
    if (tile.few)
      runFew();
    else
      runMany();
  }

private:
  int64_t threadsOfTile() const {
    return kWarp * (tile.few ? shape.slices() : tile.warps());
  }
  /// Elements of the tile that this thread sums: element r * columns.size() + c
  /// is of rows[r] and columns[c]. Columns 2 i and 2 i + 1 are neighbours if
  /// the sums come from mma.sync.
  void placeSums(Value lane, Value thread, Value rowWarp, Value columnWarp);
  Values zeros() { return Values(rows.size() * columns.size(), b.f32(0)); }
  Values plus(ValueRange x, ValueRange y) {
    Values sums;
    for (auto [left, right] : llvm::zip(x, y))
      sums.push_back(b.addf(left, right));
    return sums;
  }

  void copyStage(TileCopy &rowsCopy, TileCopy &columnsCopy, Value stage,
                 Value slot);
  Value slotOf(Value stage) {
    return b.atByte(ring, b.mul(b.rem(stage, tile.depth), tile.stageBytes()));
  }
  Values multiply(Value slot, Values sums);
  Values multiplyMma(Value aTile, Value wTile, Values sums);
  Values multiplyFma(Value aTile, Value wTile, Values sums);
  Values sumSlice(Value from, Value to, Value end, bool wholeBlock);
  void runMany();
  void runFew();
  void keep(ValueRange sums);
  void finishMany(ValueRange sums);

  GpuBuilder &b;
  const DotShape &shape;
  const DotTile &tile;
  const GlobalView &a, &w;
  SharedTile shared;
  Value numRows, arena, ring;
  DotResult result;
  Value firstRow, firstColumn; ///< of the tile
  std::optional<TileCopy> rowsCopy, columnsCopy;
  Values rows, columns; ///< of this thread's sums, from the tile's first
  Value lane, rowOrigin, columnOrigin;
};

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void DotKernel::placeSums(Value lane, Value thread, Value rowWarp,
                          Value columnWarp) {
  this->lane = lane;
  int64_t warpRows = tile.rows / tile.rowWarps;
  int64_t warpColumns =
      tile.few ? tile.columns : tile.columns / tile.columnWarps;
  if (shape.usesMma()) {
    rowOrigin = b.mul(rowWarp, warpRows);
    columnOrigin = b.mul(columnWarp, warpColumns);
    for (int64_t row = 0; row < warpRows; row += 8)
      rows.push_back(b.add(b.add(rowOrigin, b.div(lane, 4)), row));
    for (int64_t column = 0; column < warpColumns; column += 8)
      for (int64_t i : {0, 1})
        columns.push_back(b.add(
            b.add(columnOrigin, b.shiftLeft(b.rem(lane, 4), 1)), column + i));
    return;
  }
  // Neighbouring lanes have neighbouring columns.
  int64_t across = tile.few ? 8 : 16;
  Value number = tile.few ? lane : thread;
  for (int64_t i = 0; i < 4; ++i)
    rows.push_back(b.add(b.mul(b.div(number, across), 4), i));
  for (int64_t column = 0; column < warpColumns; column += across)
    columns.push_back(b.add(b.rem(number, across), column));
}

Values DotKernel::multiplyMma(Value aTile, Value wTile, Values sums) {
  Value half = b.div(lane, 16);
  Value aRow = b.add(rowOrigin, b.rem(lane, 16));
  // Two tiles of eight columns at once: lanes 16 to 31 say where the second is.
  Value wRow = b.add(columnOrigin, b.add(b.mul(half, 8), b.rem(lane, 8)));
  Value wHalf = b.rem(b.div(lane, 8), 2);
  int64_t width = columns.size();
  auto load = [&](Value at) {
    return b.asFactors(b.loadMatrices(at, 4, /*transposed=*/false),
                       shape.factor);
  };
  for (int64_t step = 0; step < shared.chunks / 2; ++step) {
    SmallVector<Values> aParts, wParts;
    for (int64_t row = 0; row < int64_t(rows.size()) / 2; ++row)
      aParts.push_back(
          load(shared.chunkAt(b, aTile, aRow, half, row * 16, 2 * step)));
    for (int64_t column = 0; column < width / 4; ++column)
      wParts.push_back(
          load(shared.chunkAt(b, wTile, wRow, wHalf, column * 16, 2 * step)));
    for (int64_t row = 0; row < int64_t(rows.size()) / 2; ++row)
      for (int64_t column = 0; column < width / 2; ++column) {
        Value *upper = &sums[2 * row * width + 2 * column];
        Value *lower = upper + width;
        Values made =
            b.mma(aParts[row],
                  ValueRange(wParts[column / 2]).slice(column % 2 * 2, 2),
                  {upper[0], upper[1], lower[0], lower[1]}, shape.factor);
        std::tie(upper[0], upper[1], lower[0], lower[1]) =
            std::tie(made[0], made[1], made[2], made[3]);
      }
  }
  return sums;
}

Values DotKernel::multiplyFma(Value aTile, Value wTile, Values sums) {
  auto four = VectorType::get(4, b.getF32Type());
  for (int64_t chunk = 0; chunk < shared.chunks; ++chunk) {
    auto loadAll = [&](Value base, ValueRange places) {
      SmallVector<Values> parts;
      for (Value place : places)
        parts.push_back(b.unpack(
            b.load(shared.chunkAt(b, base, place, b.i32(0), 0, chunk), four)));
      return parts;
    };
    SmallVector<Values> aParts = loadAll(aTile, rows);
    SmallVector<Values> wParts = loadAll(wTile, columns);
    for (int64_t i = 0; i < 4; ++i)
      for (size_t row = 0; row < rows.size(); ++row)
        for (size_t column = 0; column < columns.size(); ++column) {
          Value &sum = sums[row * columns.size() + column];
          sum = b.fma(aParts[row][i], wParts[column][i], sum);
        }
  }
  return sums;
}

Values DotKernel::multiply(Value slot, Values sums) {
  Value wTile = b.atByte(slot, b.i32(tile.rows * kStageBytes));
  return shape.usesMma() ? multiplyMma(slot, wTile, std::move(sums))
                         : multiplyFma(slot, wTile, std::move(sums));
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

void DotKernel::copyStage(TileCopy &rowsCopy, TileCopy &columnsCopy,
                          Value stage, Value slot) {
  Value first = b.mul(stage, shape.stageColumns());
  auto copy = [&](TileCopy &copy, Value base, const GlobalView &view,
                  Value origin, Value count) {
    copy.copy(base,
              [&](Value row) {
                Value number = b.add(origin, row);
                return SourceRow{view.at(b, {number, Value()}),
                                 b.less(number, count)};
              },
              {first, shape.k, view.strides[1], alignedBytes(view.type)});
  };
  copy(rowsCopy, slot, a, firstRow, numRows);
  copy(columnsCopy, b.atByte(slot, b.i32(tile.rows * kStageBytes)), w,
       firstColumn, b.i32(shape.n));
}

/// Stages [from, to) of a slice; copies go on up to stage `end`.
Values DotKernel::sumSlice(Value from, Value to, Value end, bool wholeBlock) {
  return b.loop(from, to, 1, zeros(), [&](Value stage, ValueRange sums) {
    b.waitCopies(tile.depth - 2);
    // What all have copied is there for all, and the slot that all have read
    // in the turn before is free.
    if (wholeBlock)
      b.barrier();
    else
      b.warpBarrier();
    Value next = b.add(stage, tile.depth - 1);
    b.when(b.less(next, end),
           [&] { copyStage(*rowsCopy, *columnsCopy, next, slotOf(next)); });
    b.commitCopies();
    return multiply(slotOf(stage), Values(sums));
  });
}

void DotKernel::runMany() {
  Value thread = b.threadId(), warp = b.warp();
  int64_t threads = tile.warps() * kWarp;
  ring = arena;
  firstRow = b.mul(b.blockId(gpu::Dimension::x), tile.rows);
  firstColumn = b.mul(b.blockId(gpu::Dimension::y), tile.columns);
  placeSums(b.lane(), thread, b.div(warp, tile.columnWarps),
            b.rem(warp, tile.columnWarps));
  rowsCopy.emplace(b, shared, tile.rows, thread, threads);
  columnsCopy.emplace(b, shared, tile.columns, thread, threads);

  for (int64_t stage = 0; stage < tile.depth - 1; ++stage) {
    if (stage < shape.stages())
      copyStage(*rowsCopy, *columnsCopy, b.i32(stage), slotOf(b.i32(stage)));
    b.commitCopies();
  }
  Value end = b.i32(shape.stages());
  if (shape.slices() == 1)
    return finishMany(sumSlice(b.i32(0), end, end, true));
  Values sums = b.loop(b.i32(0), b.i32(shape.slices()), 1, zeros(),
                       [&](Value slice, ValueRange sums) {
                         Value from = b.mul(slice, shape.stagesOfSlice());
                         Value to =
                             b.min(b.add(from, shape.stagesOfSlice()), end);
                         return plus(sums, sumSlice(from, to, end, true));
                       });
  finishMany(sums);
}

void DotKernel::runFew() {
  Value warp = b.warp(), lane = b.lane();
  int64_t slices = shape.slices(), groups = tile.warps() / slices;
  Value slice = b.rem(warp, slices);
  int64_t distance = tile.depth * tile.stageBytes();
  ring = b.atByte(arena, b.mul(warp, distance));
  firstRow = b.mul(b.blockId(gpu::Dimension::y), tile.rows);
  firstColumn =
      b.add(b.mul(b.blockId(gpu::Dimension::x), groups), b.div(warp, slices));
  firstColumn = b.mul(firstColumn, tile.columns);
  placeSums(lane, lane, b.i32(0), b.i32(0));
  result.place(b.rem(b.threadId(), threadsOfTile()), firstRow, firstColumn);
  if (result.isShort())
    result.loadEarly();
  rowsCopy.emplace(b, shared, tile.rows, lane, kWarp);
  columnsCopy.emplace(b, shared, tile.columns, lane, kWarp);

  Value from = b.mul(slice, shape.stagesOfSlice());
  Value end = b.min(b.add(from, shape.stagesOfSlice()), b.i32(shape.stages()));
  for (int64_t i = 0; i < tile.depth - 1; ++i) {
    Value stage = b.add(from, i);
    b.when(b.less(stage, end),
           [&] { copyStage(*rowsCopy, *columnsCopy, stage, slotOf(stage)); });
    b.commitCopies();
  }
  Values sums = sumSlice(from, end, end, false);

  // Each warp leaves its sums where its stages were.
  b.waitCopies(0);
  b.warpBarrier();
  keep(sums);
  Value first = b.mul(b.div(warp, slices), slices * distance);
  result.store(b.atByte(arena, first), slices, distance, [&] {
    if (slices == 1)
      b.warpBarrier();
    else
      b.barrier();
  });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Writes this thread's sums to where the ring begins.
void DotKernel::keep(ValueRange sums) {
  const SumTile &to = result.sumTile();
  Value first = to.at(b, ring, rows[0], columns[0]);
  bool inPairs = shape.usesMma();
  int64_t rowsOn = inPairs ? 8 : 1, across = tile.few ? 8 : 16;
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t i = 0; i < columns.size(); i += inPairs ? 2 : 1) {
      int64_t columnsOn = inPairs ? i / 2 * 8 : i * across;
      Value place = b.atByte(first, b.i32(to.bytesOn(row * rowsOn, columnsOn)));
      ValueRange parts = sums.slice(row * columns.size() + i, inPairs ? 2 : 1);
      b.store(inPairs ? b.pack(parts) : parts[0], place);
    }
}

void DotKernel::finishMany(ValueRange sums) {
  b.waitCopies(0);
  b.barrier(); // the last stage has been read by all
  keep(sums);
  result.place(b.threadId(), firstRow, firstColumn);
  result.store(ring, 1, 0, [&] { b.barrier(); });
}

} // namespace

void nax::emitDot(GpuBuilder &b, const DotShape &shape, const DotTile &tile,
                  ArrayRef<GlobalView> views, const DotEpilogue &epilogue) {
  DotKernel(b, shape, tile, views, epilogue).run();
}
