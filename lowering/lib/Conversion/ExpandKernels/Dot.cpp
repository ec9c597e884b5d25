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

#include "DotChunks.h"
#include "Epilogue.h"

#include "nax/Conversion/ExpandKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nax;

/// Numbers in a chunk of rows that is worth handing to another thread.
static constexpr int64_t kRoundGrain = 1 << 16;
/// A tile of so few rows waits for its panel, which it may be alone to read:
/// far enough ahead of it that the L1 cache has a line in time. One of more
/// rows asks for a part of the next panel, a line in each turn of its loop,
/// which the L2 cache has when all tiles of this one are done.
static constexpr int64_t kFewRows = 4, kAheadBytes = 2048;

static MemRefType memrefOf(Value value) {
  return cast<MemRefType>(value.getType());
}

namespace {

/// `size` adjacent numbers of `base` from `offset` on. Said so, the address in
/// a loop is a register that moves and another one that does not.
Value lineOf(KernelBuilder &b, Value base, Value offset, Value size) {
  auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, 1);
  auto type = MemRefType::get(ShapedType::kDynamic,
                              memrefOf(base).getElementType(), layout);
  return memref::ReinterpretCastOp::create(
      b, type, base, OpFoldResult(offset), ArrayRef<OpFoldResult>{size},
      ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
}

/// A step of the sum is a number of K, or two where bf16 comes in pairs.
class Dot {
public:
  /// [M,steps], [N/NR,steps,NR] or, of pairs, [N/NR,steps,2 NR], [M,N]
  Dot(KernelBuilder &b, Value rows, Value panels, Value result, bool pairs,
      Epilogue &epilogue)
      : b(b), rows(rows), panels(panels), result(result), pairs(pairs),
        epilogue(epilogue) {}

  /// `count` rows from `row` on, times panel `panel` (which starts at
  /// `column`), which `before` rows have met already.
  void tile(int64_t count, Value row, Value before, Value panel, Value column,
            PanelColumns cols) {
    openLines(count, row);
    openPanel(panel);
    vectors = cols.vectors;

    Value steps = b.dim(panels, 1);
    // The turns of the tiles before this one, and the whole panel.
    next = b.div(b.mul(before, steps), b.index(count * kUnroll));
    next = b.add(b.mul(next, lineNumbers()),
                 b.mul(steps, memrefOf(panels).getDimSize(2)));
    Value whole = b.sub(steps, b.rem(steps, b.index(kUnroll)));
    Values sums(count * vectors, b.splat(0.0));
    sums = b.loop(
        b.index(0), whole, kUnroll, sums,
        [&](Value at, ValueRange sums) { return addSteps(at, kUnroll, sums); });
    sums = b.loop(whole, steps, 1, sums, [&](Value at, ValueRange sums) {
      return addSteps(at, 1, sums);
    });
    epilogue.store(sums, count, row, column, cols, result);
  }

private:
  void openLines(int64_t count, Value row) {
    auto all = memref::ExtractStridedMetadataOp::create(b, rows);
    Value stride = all.getStrides()[0], length = all.getSizes()[1];
    Value offset = b.add(all.getOffset(), b.mul(row, stride));
    lines.clear();
    for (int64_t r = 0; r < count; ++r, offset = b.add(offset, stride))
      lines.push_back(lineOf(b, all.getBaseBuffer(), offset, length));
  }

  void openPanel(Value panel) {
    auto all = memref::ExtractStridedMetadataOp::create(b, panels);
    Value offset = b.add(all.getOffset(), b.mul(panel, all.getStrides()[0]));
    Value length = b.mul(all.getSizes()[1], memrefOf(panels).getDimSize(2));
    weights = lineOf(b, all.getBaseBuffer(), offset, length);
  }

  Values addSteps(Value at, int64_t steps, Values sums) {
    int64_t width = memrefOf(panels).getDimSize(2);
    Value first = b.mul(at, width);
    if (lines.size() > kFewRows && steps == kUnroll)
      prefetch(b.add(next, b.mul(at, lineNumbers() / kUnroll)), 2);
    for (int64_t step = 0; step < steps; ++step) {
      if (lines.size() <= kFewRows)
        for (int64_t at = 0; at < width; at += lineNumbers())
          prefetch(b.add(first, kAheadBytes / bytes() + step * width + at), 3);
      Values packed;
      for (int64_t v = 0; v < vectors; ++v)
        packed.push_back(load(b.add(first, step * width + v * numbers())));
      for (auto [r, line] : llvm::enumerate(lines)) {
        Value x = b.broadcast(b.load(line, {b.add(at, step)}));
        for (int64_t v = 0; v < vectors; ++v) {
          Value &sum = sums[r * vectors + v];
          sum = pairs ? addPairs(sum, x, packed[v]) : b.fma(x, packed[v], sum);
        }
      }
    }
    return sums;
  }

  /// Of a vector of weights.
  int64_t numbers() const { return pairs ? 2 * kLanes : kLanes; }

  Value load(Value at) {
    auto type = VectorType::get({numbers()}, memrefOf(panels).getElementType());
    Value packed = vector::LoadOp::create(b, type, weights, at);
    return pairs ? packed : b.widen(packed);
  }

  /// sum + x0 y0 + x1 y1 in each lane; x is words of two numbers.
  Value addPairs(Value sum, Value x, Value y) {
    return LLVM::CallIntrinsicOp::create(
               b, sum.getType(),
               b.getStringAttr("llvm.x86.avx512bf16.dpbf16ps.512"),
               ValueRange{sum, vector::BitCastOp::create(b, y.getType(), x), y})
        .getResult(0);
  }

  int64_t bytes() const {
    return memrefOf(panels).getElementTypeBitWidth() / 8;
  }
  /// Of a line of a cache.
  int64_t lineNumbers() const { return 64 / bytes(); }

  /// What follows a panel is the next one, mostly.
  void prefetch(Value at, int64_t locality) {
    memref::PrefetchOp::create(b, weights, ValueRange{at}, /*isWrite=*/false,
                               locality, /*isDataCache=*/true);
  }

  KernelBuilder &b;
  Value rows, panels, result;
  bool pairs;
  Epilogue &epilogue;
  // Of the tile.
  Values lines;
  Value weights;
  Value next; ///< what it asks for of the next panel
  int64_t vectors = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Pairs of bf16
//===----------------------------------------------------------------------===//

static bool hasPairs(kernel::DotOp op) {
  return memrefOf(op.getPanels()).getRank() == 4;
}

int64_t nax::dotScratchPerRow(kernel::DotOp op) {
  if (op.getStored())
    return quantisedRowBytes(op);
  // Whole vectors of 16 numbers of bf16.
  int64_t k = memrefOf(op.getA()).getDimSize(1);
  return hasPairs(op) ? (k + kLanes - 1) / kLanes * kLanes * 2 : 0;
}

/// Rounds rows [M, K] to bf16, once for all panels; words [M, K / 2], zero past
/// K, of which `rest` numbers are left by whole vectors.
static Value roundRows(KernelBuilder &b, Value rows, Value scratch,
                       int64_t rest) {
  Value m = b.dim(rows, 0), k = b.dim(rows, 1);
  Value vectors = b.ceilDiv(k, b.index(kLanes));
  auto type = MemRefType::get({ShapedType::kDynamic, ShapedType::kDynamic},
                              b.getI32Type());
  Value words = memref::ViewOp::create(
      b, type, scratch, b.index(0), ValueRange{m, b.mul(vectors, kLanes / 2)});
  auto round = [&](Value row, Value at, int64_t lanes) {
    Value x = b.loadLanes(rows, {row, at}, lanes);
    x = arith::TruncFOp::create(b, b.vectorOf(b.getBF16Type()), x);
    auto half = VectorType::get({kLanes / 2}, b.getI32Type());
    b.storeVector(vector::BitCastOp::create(b, half, x), words,
                  {row, b.div(at, b.index(2))});
  };
  Value wanted = b.add(b.div(b.mul(m, k), b.index(kRoundGrain)), 1);
  Value chunks = b.min(b.min(wanted, b.index(kMaxChunks)), m);
  b.parallel(chunks, [&](Value chunk) {
    auto [from, to] = b.share(m, chunk, chunks);
    Value whole = b.sub(k, b.index(rest));
    b.loop(from, to, 1, [&](Value row) {
      b.loop(b.index(0), whole, kLanes,
             [&](Value at) { round(row, at, kLanes); });
      if (rest)
        round(row, whole, rest);
    });
  });
  return words;
}

void nax::emitDot(KernelBuilder &b, kernel::DotOp op, ValueRange args,
                  const CpuTarget &cpu) {
  kernel::DotOp::Adaptor given(args.take_front(op->getNumOperands()), op);
  DotShape shape =
      DotShape::get(b, op, given, memrefOf(op.getPanels()).getDimSize(2), cpu);
  Epilogue epilogue(b, op, given.getExtras(),
                    args.drop_front(op->getNumOperands()));
  Value rows = given.getA(), panels = given.getPanels(), m = b.dim(rows, 0);
  if (hasPairs(op)) {
    rows = roundRows(b, rows, given.getScratch(),
                     memrefOf(op.getA()).getDimSize(1) % kLanes);
    shape.rowBytes = b.mul(b.dim(rows, 1), 4);
    panels = memref::CollapseShapeOp::create(
        b, panels, ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}});
  }
  Dot dot(b, rows, panels, given.getC(), hasPairs(op), epilogue);
  emitDotChunks(b, m, shape, [&](const DotChunk &chunk) {
    epilogue.begin(shape);
    forEachPanel(b, chunk, shape,
                 [&](Value panel, Value column, PanelColumns cols) {
                   forEachTile(b, chunk.fromRow, chunk.toRow, shape.tileRows,
                               [&](int64_t count, Value row) {
                                 dot.tile(count, row, b.sub(row, chunk.fromRow),
                                          panel, column, cols);
                               });
                 });
  });
}
