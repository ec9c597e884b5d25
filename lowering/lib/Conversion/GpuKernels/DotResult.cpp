//===- DotResult.cpp - sums of a tile on their way to memory --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "DotResult.h"
#include "Loops.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <numeric>

using namespace mlir;
using namespace nax;

/// Loads of so many rows are in flight at once.
static constexpr int64_t kRowsAtOnce = 4;

//===----------------------------------------------------------------------===//
// Sums in shared memory
//===----------------------------------------------------------------------===//

// Half a warp writes pairs of 4 rows and 8 columns at once (mma.sync), or a
// warp 16 columns of two rows that are 4 apart: with these pitches in other
// banks.
SumTile::SumTile(const DotShape &shape, const DotTile &tile,
                 int64_t chunkColumns)
    : rows(tile.rows), columns(tile.columns), inHalves(chunkColumns == 8),
      pitch(columns + (shape.usesMma() ? 8 : 4)) {}

Value SumTile::at(GpuBuilder &b, Value base, Value row, Value column) const {
  Value place = column;
  if (inHalves) {
    Value half = b.mul(b.rem(b.div(column, 4), 2), halfPitch());
    Value inFour = b.add(b.mul(b.div(column, 8), 4), b.rem(column, 4));
    place = b.add(half, inFour);
  }
  return b.at(base, b.add(b.mul(row, pitch), place), b.getF32Type());
}

Values SumTile::load(GpuBuilder &b, Value base, Value row, Value column,
                     int64_t count) const {
  Value from = at(b, base, row, column);
  if (count == 1)
    return {b.load(from, b.getF32Type())};
  auto part = VectorType::get(std::min<int64_t>(count, 4), b.getF32Type());
  Values sums = b.unpack(b.load(from, part));
  if (count == 8)
    llvm::append_range(
        sums, b.unpack(b.load(b.atByte(from, b.i32(4 * halfPitch())), part)));
  return sums;
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

static int64_t bytesOf(Type element) {
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

/// Columns of one access: the most that are aligned and fill the row.
static int64_t chunkColumnsOf(const GlobalView &c, int64_t n) {
  int64_t bytes = bytesOf(c.element());
  int64_t width = kChunk / bytes;
  while (n % width != 0 || alignedBytes(c.type) % (width * bytes) != 0)
    width /= 2;
  return width;
}

DotResult::DotResult(GpuBuilder &b, const DotShape &shape, const DotTile &tile,
                     ArrayRef<GlobalView> views, const DotEpilogue &epilogue,
                     int64_t threads)
    : b(b), c(views[2]), extras(views.drop_front(3)), epilogue(epilogue),
      n(shape.n), endsInside(n % tile.columnsOfBlock(shape) != 0),
      numRows(views[0].sizes[0]), width(chunkColumnsOf(c, n)),
      tileOfSums(shape, tile, width) {
  assert(tileOfSums.bytes() <= tile.depth * tile.stageBytes() &&
         "sums lie where the stages were");
  chunksOfRow = tile.columns / width;
  assert(threads % chunksOfRow == 0 && "a thread has one column of chunks");
  rowStep = threads / chunksOfRow;
  rowsOfThread = llvm::divideCeil(tile.rows, rowStep);
}

void DotResult::place(Value thread, Value tileRow, Value tileColumn) {
  firstRow = tileRow;
  firstColumn = tileColumn;
  row = b.div(thread, chunksOfRow);
  column = b.mul(b.rem(thread, chunksOfRow), width);
  rowsHere = b.min(b.sub(numRows, firstRow), b.i32(tileOfSums.rows));
  if (endsInside)
    columnThere = b.less(b.add(firstColumn, column), b.i32(n));
}

Value DotResult::thereAt(Value row) {
  Value there = b.less(row, rowsHere);
  return columnThere ? b.bitAnd(there, columnThere) : there;
}

//===----------------------------------------------------------------------===//
// What the epilogue reads
//===----------------------------------------------------------------------===//

/// The elements of a chunk; `row` is null for an extra of one dimension.
DotResult::Pieces DotResult::loadExtra(const GlobalView &view, Value row,
                                       Value condition) {
  Type element = view.element();
  int64_t bytes = bytesOf(element);
  int64_t piece = std::gcd(alignedBytes(view.type), width * bytes) / bytes;
  if (element.getIntOrFloatBitWidth() % 8 != 0)
    piece = 1;
  Type type = piece == 1 ? element : VectorType::get(piece, element);
  auto loads = [&] {
    Value first = b.add(firstColumn, column);
    Value from =
        row ? view.at(b, {b.add(firstRow, row), first}) : view.at(b, {first});
    Pieces pieces;
    for (int64_t i = 0; i < width; i += piece)
      pieces.push_back(b.load(b.at(from, b.i32(i), element), type));
    return pieces;
  };
  if (!condition)
    return loads();
  // Nothing looks at what is not there.
  return b.choose(condition, loads, [&] {
    return Pieces(width / piece, LLVM::PoisonOp::create(b, type));
  });
}

SmallVector<DotResult::Pieces> DotResult::loadExtras(int64_t rank, Value row) {
  SmallVector<Pieces> loaded;
  Value condition = row ? thereAt(row) : columnThere;
  for (const GlobalView &view : extras)
    if (view.type.getRank() == rank)
      loaded.push_back(loadExtra(view, row, condition));
  return loaded;
}

DotResult::Rows DotResult::loadRows(Value row) {
  Rows loaded;
  for (int64_t i = 0; i < std::min(rowsOfThread, kRowsAtOnce); ++i)
    loaded.push_back(loadExtras(2, b.add(row, i * rowStep)));
  return loaded;
}

void DotResult::loadEarly() {
  hasLoaded = true;
  ofColumns = loadExtras(1, Value());
  if (rowsOfThread <= kRowsAtOnce)
    ofFirstRows = loadRows(row);
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

void DotResult::store(Value base, int64_t slices, int64_t distance,
                      llvm::function_ref<void()> ready) {
  auto sumsOf = [&](Value row) {
    Values sums = tileOfSums.load(b, base, row, column, width);
    if (slices == 1)
      return sums;
    // From 0 on, as tiles of many rows do.
    for (Value &sum : sums)
      sum = b.addf(b.f32(0), sum);
    for (int64_t slice = 1; slice < slices; ++slice) {
      Value next = b.atByte(base, b.i32(slice * distance));
      Values more = tileOfSums.load(b, next, row, column, width);
      for (auto [sum, part] : llvm::zip(sums, more))
        sum = b.addf(sum, part);
    }
    return sums;
  };
  auto storeRows = [&](Value row, const Rows &loaded) {
    for (auto [i, ofRow] : llvm::enumerate(loaded)) {
      Value here = b.add(row, i * rowStep);
      b.when(thereAt(here), [&] { storeChunk(here, sumsOf(here), ofRow); });
    }
  };
  if (!hasLoaded)
    loadEarly();
  ready();
  if (rowsOfThread <= kRowsAtOnce)
    return storeRows(row, ofFirstRows);
  b.loop(b.i32(0), rowsHere, kRowsAtOnce * rowStep, [&](Value begin) {
    Value here = b.add(row, begin);
    storeRows(here, loadRows(here));
  });
}

void DotResult::storeChunk(Value row, Values sums, ArrayRef<Pieces> ofRow) {
  if (epilogue.body) {
    SmallVector<Values> elements; // of each extra
    ArrayRef<Pieces> ofColumn = ofColumns;
    for (const GlobalView &view : extras) {
      ArrayRef<Pieces> &next = view.type.getRank() == 1 ? ofColumn : ofRow;
      Values &all = elements.emplace_back();
      for (Value piece : next.front())
        llvm::append_range(all, isa<VectorType>(piece.getType())
                                    ? b.unpack(piece)
                                    : Values{piece});
      next = next.drop_front();
    }
    for (auto [i, sum] : llvm::enumerate(sums)) {
      Values args{sum};
      for (const Values &all : elements)
        args.push_back(all[i]);
      sum = epilogue.bodies->clone(*epilogue.body, args)[0];
    }
  }
  Value to = c.at(b, {b.add(firstRow, row), b.add(firstColumn, column)});
  write(std::move(sums), to);
}

/// What was rounded to `x`, if that was f32.
static Value unrounded(Value x) {
  auto rounded = x.getDefiningOp<arith::TruncFOp>();
  if (rounded && rounded.getIn().getType().isF32() &&
      !rounded.getRoundingmode())
    return rounded.getIn();
  return x;
}

/// Numbers that are f32 are rounded to the result's type, two at once.
void DotResult::write(Values elements, Value to) {
  Type type = c.element();
  auto isF32 = [](Value x) { return x.getType().isF32(); };
  Values wide = llvm::map_to_vector(elements, unrounded);
  if (!type.isF32() && width > 1 && llvm::all_of(wide, isF32)) {
    elements.clear();
    for (int64_t i = 0; i < width; i += 2)
      elements.push_back(b.packHalves(wide[i], wide[i + 1], type));
  } else {
    for (Value &x : elements)
      if (x.getType() != type)
        x = b.fromF32(x, type);
  }
  b.store(elements.size() == 1 ? elements[0] : b.pack(elements), to);
}
