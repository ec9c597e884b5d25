//===- DotChunks.cpp - how the work of a dot is split ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "DotChunks.h"

using namespace mlir;
using namespace nax;

/// Multiplications in a chunk that is worth handing to another thread. With
/// fewer rows than `kFewRows` a chunk takes as long as its panels need to come
/// from memory, as if there were so many.
static constexpr int64_t kGrain = 1 << 17, kFewRows = 8;
/// Chunks are a multiple of this where there are more: threads take them in
/// equal shares.
static constexpr int64_t kShares = 16;
/// Bytes of rows in a block, which stay in the L2 cache beside two panels, and
/// the least number of its tiles: a panel comes from farther away for each
/// block, while tiles of the panel before ask for it.
static constexpr int64_t kBlockBytes = 9 << 16;
static constexpr int64_t kLeastTiles = 16;
/// Rows of a tile, however few columns it has.
static constexpr int64_t kMostRows = 8;

DotShape DotShape::get(KernelBuilder &b, kernel::DotOp op,
                       kernel::DotOp::Adaptor given, int64_t width,
                       const CpuTarget &cpu) {
  int64_t tileRows = std::clamp<int64_t>(cpu.mr * cpu.nr / width, 1, kMostRows);
  int64_t n = cast<MemRefType>(op.getC().getType()).getDimSize(1);
  Value k = b.dim(given.getA(), 1);
  return {b.dim(given.getC(), 1),
          k,
          n % width,
          width,
          tileRows,
          b.mul(k, 4),
          kBlockBytes,
          kLeastTiles};
}

int64_t DotShape::mostRows() const {
  return std::max(kLeastTiles * tileRows, kBlockBytes / (4 * kDepth));
}

void nax::emitDotChunks(KernelBuilder &b, Value m, const DotShape &shape,
                        llvm::function_ref<void(const DotChunk &)> body) {
  // Blocks of rows by ranges of panels. Chunks of one block follow each other:
  // its rows stay in the L2 cache while panels pass by.
  Value tiles = b.ceilDiv(m, b.index(shape.tileRows));
  Value panels = b.ceilDiv(shape.n, b.index(shape.width));
  Value products = b.mul(b.mul(shape.n, shape.k), b.max(m, b.index(kFewRows)));
  Value wanted = b.add(b.div(products, b.index(kGrain)), 1);
  wanted = b.min(wanted, b.index(kMaxChunks));
  Value tileBytes = b.mul(shape.rowBytes, shape.tileRows);
  Value tilesOfBlock = b.max(b.index(shape.leastTiles),
                             b.div(b.index(shape.blockBytes), tileBytes));
  Value blocks = b.ceilDiv(tiles, tilesOfBlock);
  Value ranges = b.min(b.ceilDiv(wanted, b.max(blocks, b.index(1))), panels);
  Value even = b.sub(ranges, b.rem(ranges, b.index(kShares)));
  ranges = b.select(b.compare(KernelBuilder::Predicate::sgt, even, b.index(0)),
                    even, ranges);
  b.parallel(b.mul(blocks, ranges), [&](Value chunk) {
    auto [firstPanel, endPanel] = b.share(panels, b.rem(chunk, ranges), ranges);
    auto [firstTile, endTile] = b.share(tiles, b.div(chunk, ranges), blocks);
    Value from = b.mul(firstTile, shape.tileRows);
    Value to = b.min(b.mul(endTile, shape.tileRows), m);
    body({from, to, firstPanel, endPanel});
  });
}

void nax::forEachPanel(
    KernelBuilder &b, const DotChunk &chunk, const DotShape &shape,
    llvm::function_ref<void(Value, Value, PanelColumns)> body) {
  int64_t width = shape.width;
  Value full = b.div(shape.n, b.index(width));
  b.loop(chunk.firstPanel, b.min(chunk.endPanel, full), 1, [&](Value panel) {
    body(panel, b.mul(panel, width), {width / kLanes, kLanes});
  });
  if (shape.rest == 0)
    return;
  int64_t vectors = (shape.rest + kLanes - 1) / kLanes;
  b.when(b.compare(KernelBuilder::Predicate::sgt, chunk.endPanel, full), [&] {
    body(full, b.mul(full, width),
         {vectors, shape.rest - (vectors - 1) * kLanes});
  });
}

void nax::forEachTile(KernelBuilder &b, Value from, Value to, int64_t tileRows,
                      llvm::function_ref<void(int64_t, Value)> tile) {
  Value count = b.sub(to, from);
  Value left = b.rem(count, b.index(tileRows));
  Value row = b.sub(to, left);
  b.loop(from, row, tileRows, [&](Value at) { tile(tileRows, at); });
  int64_t size = 1;
  while (size * 2 < tileRows)
    size *= 2;
  for (; size >= 1; size /= 2) {
    Value fits = b.compare(KernelBuilder::Predicate::sge, left, b.index(size));
    b.when(fits, [&] { tile(size, row); });
    Value step = b.select(fits, b.index(size), b.index(0));
    left = b.sub(left, step);
    row = b.add(row, step);
  }
}
