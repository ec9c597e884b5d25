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
/// A tile of so few rows waits for its panel, which it alone reads: far enough
/// ahead of it that the L1 cache has a line in time.
static constexpr int64_t kFewRows = 4, kAheadBytes = 4096;
static constexpr int64_t kLineBytes = 64;

static MemRefType memrefOf(Value value) {
  return cast<MemRefType>(value.getType());
}

namespace {

/// A step of the sum is a number of K, or two where bf16 comes in pairs.
struct Dot {
  KernelBuilder &b;
  // [M,steps], [N/NR,steps,NR] or, of pairs, [N/NR,steps,2 NR], [M,N]
  Value rows, panels, result;
  bool pairs;
  Epilogue epilogue;

  /// `count` rows from `row` on, times panel `panel` (which starts at
  /// `column`).
  void tile(int64_t count, Value row, Value panel, Value column,
            PanelColumns cols) {
    Values zeros(count * cols.vectors, b.splat(0.0)), rowAt;
    for (int64_t r = 0; r < count; ++r)
      rowAt.push_back(b.add(row, r));
    Values sums =
        b.unrolledLoop(b.index(0), b.dim(panels, 1), kUnroll, zeros,
                       [&](Value at, Values sums) {
                         if (count <= kFewRows)
                           prefetch(panel, at, cols.vectors);
                         return addStep(rowAt, panel, at, cols.vectors, sums);
                       });
    epilogue.store(sums, count, row, column, cols, result);
  }

private:
  Values addStep(ValueRange rowAt, Value panel, Value at, int64_t vectors,
                 Values sums) {
    Values packed;
    for (int64_t v = 0; v < vectors; ++v)
      packed.push_back(weights({panel, at, b.index(v * numbers())}));
    for (auto [r, row] : llvm::enumerate(rowAt)) {
      Value x = b.broadcast(b.load(rows, {row, at}));
      for (int64_t v = 0; v < vectors; ++v) {
        Value &sum = sums[r * vectors + v];
        sum = pairs ? addPairs(sum, x, packed[v]) : b.fma(x, packed[v], sum);
      }
    }
    return sums;
  }

  /// Of a vector of weights.
  int64_t numbers() const { return pairs ? 2 * kLanes : kLanes; }

  Value weights(ValueRange at) {
    auto type = VectorType::get({numbers()}, memrefOf(panels).getElementType());
    Value packed = vector::LoadOp::create(b, type, panels, at);
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

  /// What follows the panel is the next one, mostly.
  void prefetch(Value panel, Value at, int64_t vectors) {
    int64_t bytes = memrefOf(panels).getElementTypeBitWidth() / 8;
    int64_t ofStep = memrefOf(panels).getDimSize(2) * bytes;
    Value ahead = b.add(at, kAheadBytes / ofStep);
    for (int64_t from = 0; from < vectors * numbers() * bytes;
         from += kLineBytes)
      memref::PrefetchOp::create(
          b, panels, ValueRange{panel, ahead, b.index(from / bytes)},
          /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
  }
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
  Dot dot{b, rows, panels, given.getC(), hasPairs(op), epilogue};
  emitDotChunks(b, m, shape, [&](const DotChunk &chunk) {
    dot.epilogue.begin(shape);
    forEachPanel(b, chunk, shape,
                 [&](Value panel, Value column, PanelColumns cols) {
                   forEachTile(b, chunk.fromRow, chunk.toRow, shape.tileRows,
                               [&](int64_t count, Value row) {
                                 dot.tile(count, row, panel, column, cols);
                               });
                 });
  });
}
