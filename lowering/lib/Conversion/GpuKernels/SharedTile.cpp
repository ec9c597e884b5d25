//===- SharedTile.cpp - tiles of rows in shared memory --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "SharedTile.h"

#include <numeric>

using namespace mlir;
using namespace nax;

SharedTile::SharedTile(Type element, int64_t columns) : element(element) {
  chunks = llvm::divideCeil(columns, elementsOfChunk());
  stride = llvm::alignTo(chunks, 8) * kChunk;
}

Value SharedTile::chunkAt(GpuBuilder &b, Value base, Value row, Value chunk,
                          int64_t rowsOn, int64_t chunksOn) const {
  Value place = b.bitXor(b.add(chunk, chunksOn % 8), b.bitAnd(row, 7));
  Value bytes = b.add(b.mul(row, stride), b.shiftLeft(place, 4));
  int64_t bytesOn = rowsOn * stride + chunksOn / 8 * 8 * kChunk;
  Value at = b.atByte(base, bytes);
  return bytesOn ? b.atByte(at, b.i32(bytesOn)) : at;
}

Value SharedTile::at(GpuBuilder &b, Value base, Value row, Value column,
                     int64_t columnsOn, int64_t rowsOn) const {
  Value chunk = chunkAt(b, base, row, b.div(column, elementsOfChunk()), rowsOn,
                        columnsOn / elementsOfChunk());
  return b.at(chunk, b.rem(column, elementsOfChunk()), element);
}

/// Chunks that a thread copies without a loop, and in a turn of one: addresses
/// of more at once would take the registers of what else the kernel has.
static constexpr int64_t kUnrolledChunks = 4;

TileCopy::TileCopy(GpuBuilder &b, const SharedTile &tile, int64_t rows,
                   Value thread, int64_t threads)
    : b(b), tile(tile), thread(thread), threads(threads),
      total(rows * tile.chunks) {
  if (total > kUnrolledChunks * threads)
    return;
  for (int64_t first = 0; first < total; first += threads)
    shares.push_back(shareAt(b.i32(first), first + threads > total));
}

TileCopy::Share TileCopy::shareAt(Value first, bool mayEnd) const {
  Value number = b.add(thread, first);
  return {b.div(number, tile.chunks), b.rem(number, tile.chunks),
          mayEnd ? b.less(number, b.i32(total)) : Value()};
}

void TileCopy::copyChunk(Value to, const SourceRow &row, Value column,
                         const SourceColumns &columns, bool checksColumns) {
  int64_t elementBytes = tile.elementBytes();
  // A piece is all inside of the row or all outside.
  int64_t piece = std::gcd(columns.alignedBytes, columns.count * elementBytes);
  for (int64_t byte = 0; byte < kChunk; byte += piece) {
    Value at = b.add(column, byte / elementBytes);
    Value valid = row.valid;
    if (checksColumns) {
      Value inside = b.less(at, b.i32(columns.count));
      valid = valid ? b.bitAnd(valid, inside) : inside;
    }
    Value from =
        b.at(row.pointer, b.mul(b.toI64(at), columns.stride), tile.element);
    Value place = b.atByte(to, b.i32(byte));
    if (piece >= 4) {
      b.copyAsync(place, from, piece, valid);
      continue;
    }
    Value x = b.choose(
        valid ? valid : arith::ConstantIntOp::create(b, 1, 1),
        [&] { return Values{b.load(from, tile.element)}; },
        [&] {
          return Values{
              arith::ConstantOp::create(b, b.getZeroAttr(tile.element))};
        })[0];
    b.store(x, place);
  }
}

void TileCopy::copy(Value base, llvm::function_ref<SourceRow(Value row)> source,
                    const SourceColumns &columns) {
  int64_t width = tile.chunks * tile.elementsOfChunk();
  // Tiles after the first one end inside of the row if all of them do.
  bool checksColumns = columns.count % width != 0;
  auto copyShare = [&](const Share &share) {
    auto copyOne = [&] {
      Value column =
          b.add(columns.first, b.mul(share.chunk, tile.elementsOfChunk()));
      copyChunk(tile.chunkAt(b, base, share.row, share.chunk),
                source(share.row), column, columns, checksColumns);
    };
    if (share.valid)
      b.when(share.valid, copyOne);
    else
      copyOne();
  };
  if (!shares.empty()) {
    llvm::for_each(shares, copyShare);
    return;
  }
  int64_t turn = kUnrolledChunks * threads;
  b.rolledLoop(b.i32(0), b.i32(total), turn, {}, [&](Value first, ValueRange) {
    for (int64_t on = 0; on < turn; on += threads)
      copyShare(shareAt(b.add(first, on), total % turn != 0));
    return Values();
  });
}
