//===- Dot.cpp - rows times a packed matrix -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// For each block of rows, for each panel, for each part of K, for each tile of
// rows: accumulators stay in registers over the part, which stays in the L2
// cache over all tiles, and the next part takes them up again; rows are read as
// they are. No part is summed apart, so an element's sum has one order whatever
// tile, chunk or number of rows it belongs to. An epilogue is applied to the
// accumulators, before they are stored.
//
//===----------------------------------------------------------------------===//

#include "DotTiles.h"
#include "Epilogue.h"

#include "nax/Conversion/ExpandKernels.h"
#include "nax/Conversion/WeightFormat.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nax;

/// A tile of so few rows waits for its panel, which it may be alone to read:
/// far enough ahead of it that the L1 cache has a line in time. One of more
/// rows asks for a part of the next panel, a line in each turn of its loop,
/// which the L2 cache has when all tiles of this one are done.
static constexpr int64_t kFewRows = 4, kAheadBytes = 2048;

/// Lanes of f32 in a register of NEON.
static constexpr int64_t kNeonLanes = 4;

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
      Epilogue &epilogue, const CpuTarget &cpu)
      : b(b), rows(rows), panels(panels), result(result), pairs(pairs),
        epilogue(epilogue), cpu(cpu) {}

  /// For the tiles of a chunk that are to come.
  void begin(const DotChunk &given, const DotShape &shape) {
    chunk = given;
    Value count = b.sub(chunk.toRow, chunk.fromRow);
    tiles = b.ceilDiv(count, b.index(shape.tileRows));
    linesOfTurn = b.index(1);
    for (int64_t i = 1; hasWideRegisters() && i <= 4; i *= 2)
      linesOfTurn =
          b.select(isFewer(turnLines() / i), b.index(2 * i), linesOfTurn);
    depth = b.dim(panels, 1);
    if (!cpu.isX86()) // not measured elsewhere
      return;
    Value parts = b.ceilDiv(depth, b.index(DotShape::kDepth));
    parts = b.max(parts, b.index(1));
    Value turns = b.ceilDiv(b.ceilDiv(depth, parts), b.index(kUnroll));
    // One tile alone meets each part once, wherever it is.
    Value isOne = b.compare(KernelBuilder::Predicate::sle, tiles, b.index(1));
    depth = b.select(isOne, depth, b.mul(turns, kUnroll));
    parked = b.onStack({shape.mostRows(), shape.width}, b.getF32Type());
  }

  /// Panel `panel`, which starts at `column`, part by part: `eachTile` is to
  /// call `tile` for all rows of the chunk.
  void panel(Value panel, Value column, PanelColumns columns,
             llvm::function_ref<void()> eachTile) {
    openPanel(panel);
    firstColumn = column;
    cols = columns;
    from = b.index(0);
    to = depth;
    if (!parked)
      return eachTile();
    Value steps = b.dim(panels, 1), least = b.max(depth, b.index(1));
    Value parts = b.max(b.ceilDiv(steps, least), b.index(1));
    b.loop(b.index(0), parts, 1, [&](Value part) {
      from = b.mul(part, depth);
      to = b.min(b.add(from, depth), steps);
      eachTile();
    });
  }

  /// `count` rows from `row` on.
  void tile(int64_t count, Value row) {
    openLines(count, row);
    firstRow = row;
    Value steps = b.sub(to, from);
    // Behind the whole part, and what tiles before this one asked for.
    distance = b.mul(b.div(steps, b.index(kUnroll)), lineNumbers());
    next = b.div(b.sub(row, chunk.fromRow), b.index(count));
    next = b.mul(b.mul(next, linesOfTurn), distance);
    next = b.add(next, b.mul(to, width()));
    next = b.sub(next, b.mul(from, lineNumbers() / kUnroll));
    if (hasWideRegisters() && count > kFewRows)
      prefetchResult(count);
    Value whole = b.sub(to, b.rem(steps, b.index(kUnroll)));
    Values sums = begun(count);
    sums = b.loop(from, whole, kUnroll, sums, [&](Value at, ValueRange sums) {
      return addSteps(at, kUnroll, sums);
    });
    sums = b.loop(whole, to, 1, sums, [&](Value at, ValueRange sums) {
      return addSteps(at, 1, sums);
    });
    auto finish = [&] {
      epilogue.store(sums, count, row, firstColumn, cols, result);
    };
    if (!parked)
      return finish();
    Value isLast =
        b.compare(KernelBuilder::Predicate::eq, to, b.dim(panels, 1));
    b.when(isLast, finish, [&] {
      forEachParked(count, [&](int64_t i, ValueRange at) {
        b.storeVector(sums[i], parked, at);
      });
    });
  }

private:
  void forEachParked(int64_t count,
                     llvm::function_ref<void(int64_t, ValueRange)> body) {
    for (int64_t r = 0; r < count; ++r)
      for (int64_t v = 0; v < cols.vectors; ++v)
        body(r * cols.vectors + v,
             {b.add(b.sub(firstRow, chunk.fromRow), r), b.index(v * kLanes)});
  }

  /// Sums of the parts before this one.
  Values begun(int64_t count) {
    return b.either(
        b.compare(KernelBuilder::Predicate::eq, from, b.index(0)),
        [&] { return Values(count * cols.vectors, b.splat(0.0)); },
        [&] {
          Values sums;
          forEachParked(count, [&](int64_t, ValueRange at) {
            sums.push_back(b.loadVector(parked, at));
          });
          return sums;
        });
  }

  void openLines(int64_t count, Value row) {
    auto all = memref::ExtractStridedMetadataOp::create(b, rows);
    Value stride = all.getStrides()[0], length = all.getSizes()[1];
    Value offset = b.add(all.getOffset(), b.mul(row, stride));
    lines.clear();
    for (int64_t r = 0; r < count; ++r, offset = b.add(offset, stride))
      lines.push_back(lineOf(b, all.getBaseBuffer(), apart(offset), length));
  }

  /// Whether a vector is one register.
  bool hasWideRegisters() const { return cpu.isX86() && cpu.vectors == 32; }

  /// The same index, of which LLVM does not know what it is made of.
  Value opaque(Value index, ValueRange others, StringRef constraints) {
    Type i64 = b.getI64Type();
    Values operands{arith::IndexCastOp::create(b, i64, index)};
    llvm::append_range(operands, others);
    auto same = LLVM::InlineAsmOp::create(
        b, i64, operands, /*asm_string=*/"", constraints,
        /*has_side_effects=*/false, /*is_align_stack=*/false,
        LLVM::TailCallKind::None, /*asm_dialect=*/LLVM::AsmDialectAttr(),
        /*operand_attrs=*/ArrayAttr());
    return b.toIndex(same.getResult(0));
  }

  /// Else LLVM would add a row's distance from another one in each turn.
  Value apart(Value offset) {
    return cpu.isX86() ? opaque(offset, {}, "=r,0") : offset;
  }

  /// An index that is known after `sums` only: loads of a step, moved ahead of
  /// the one before, would drive others out of the registers.
  Value after(Value index, ValueRange sums) {
    if (cpu.isX86() && !hasWideRegisters())
      return index;
    int64_t lanes = cpu.isX86() ? kLanes : kNeonLanes;
    Values registers;
    std::string constraints = "=r,0";
    for (Value sum : sums)
      for (int64_t first = 0; first < kLanes; first += lanes) {
        registers.push_back(b.slice(sum, first, lanes));
        constraints += cpu.isX86() ? ",v" : ",w";
      }
    return opaque(index, registers, constraints);
  }

  void openPanel(Value panel) {
    auto all = memref::ExtractStridedMetadataOp::create(b, panels);
    Value offset = b.add(all.getOffset(), b.mul(panel, all.getStrides()[0]));
    Value length = b.mul(all.getSizes()[1], memrefOf(panels).getDimSize(2));
    weights = lineOf(b, all.getBaseBuffer(), offset, length);
  }

  Values addSteps(Value at, int64_t steps, Values sums) {
    int64_t width = this->width(), vectors = cols.vectors;
    Value first = b.mul(at, width);
    if (lines.size() > kFewRows && steps == kUnroll)
      prefetchNext(at);
    for (int64_t step = 0; step < steps; ++step) {
      if (step && cpu.isX86()) {
        first = after(first, sums);
      } else if (step) { // numbers of a row would be loaded in twos
        at = after(at, sums);
        first = b.mul(at, width);
      }
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

  /// Numbers in a step of a panel.
  int64_t width() const { return memrefOf(panels).getDimSize(2); }
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

  /// Lines of a panel that a turn of the loop reads.
  int64_t turnLines() const { return kUnroll * width() / lineNumbers(); }

  Value isFewer(int64_t than) {
    return b.compare(KernelBuilder::Predicate::slt, tiles, b.index(than));
  }
  /// What follows: a line, or 2, 4, 8 at equal distances, where there are fewer
  /// tiles than it takes to ask for all of it.
  void prefetchNext(Value at) {
    Value first = b.add(next, b.mul(at, lineNumbers() / kUnroll));
    prefetch(first, 2);
    if (hasWideRegisters())
      prefetchMore(first, 1);
  }
  void prefetchMore(Value first, int64_t done) {
    b.when(isFewer(turnLines() / done), [&] {
      for (int64_t line = done; line < 2 * done; ++line)
        prefetch(b.add(first, b.mul(distance, line)), 2);
      if (done < 4)
        prefetchMore(first, 2 * done);
    });
  }

  /// The lines of the tile in the result: stores would wait for memory, and
  /// loads of the next tile for them. In the loop this would cost more.
  void prefetchResult(int64_t count) {
    for (int64_t r = 0; r < count; ++r)
      for (int64_t v = 0; v < cols.vectors; ++v)
        memref::PrefetchOp::create(
            b, result,
            ValueRange{b.add(firstRow, r), b.add(firstColumn, v * kLanes)},
            /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
  }

  /// What follows a panel is the next one, mostly.
  void prefetch(Value at, int64_t locality) {
    memref::PrefetchOp::create(b, weights, ValueRange{at}, /*isWrite=*/false,
                               locality, /*isDataCache=*/true);
  }

  KernelBuilder &b;
  Value rows, panels, result;
  bool pairs;
  Epilogue &epilogue;
  const CpuTarget &cpu;
  // Of the chunk.
  DotChunk chunk;
  Value tiles, linesOfTurn;
  Value depth;  ///< steps of a part
  Value parked; ///< sums between parts, [rows of the chunk, width]
  // Of the panel, and of the part of it.
  Value weights, firstColumn;
  PanelColumns cols;
  Value from, to;
  // Of the tile.
  Values lines;
  Value firstRow;
  Value next, distance; ///< what it asks for of the next part
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
  // An odd number of lines of the cache: rows of a tile lie in sets of their
  // own.
  int64_t k = memrefOf(op.getA()).getDimSize(1);
  return hasPairs(op) ? (pairsOf(k) * 4 / 64 | 1) * 64 : 0;
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
    rows = roundToBf16(b, rows, given.getScratch(),
                       memrefOf(op.getA()).getDimSize(1) % kPairDepth);
    shape.rowBytes = b.mul(b.dim(rows, 1), 4);
    if (cpu.hasTiles)
      return emitDotTiles(b, rows, panels, given.getC(), shape, epilogue);
    panels = memref::CollapseShapeOp::create(
        b, panels, ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}});
  }
  Dot dot(b, rows, panels, given.getC(), hasPairs(op), epilogue, cpu);
  emitDotChunks(b, m, shape, [&](const DotChunk &chunk) {
    epilogue.begin(shape);
    dot.begin(chunk, shape);
    forEachPanel(b, chunk, shape,
                 [&](Value panel, Value column, PanelColumns cols) {
                   dot.panel(panel, column, cols, [&] {
                     forEachTile(b, chunk.fromRow, chunk.toRow, shape.tileRows,
                                 [&](int64_t count, Value row) {
                                   dot.tile(count, row);
                                 });
                   });
                 });
  });
}
