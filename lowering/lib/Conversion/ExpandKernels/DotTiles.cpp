//===- DotTiles.cpp - rows times pairs of bf16 on tiles -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A tile of AMX has 16 rows of 64 bytes: of rows 32 numbers of K each, of a
// panel 16 pairs of K of 16 columns, of sums 16 of f32. A block of sums is two
// by two tiles, one by two where 16 rows or fewer are left. Sums that are the
// result as they are go there at once. Others are written to the stack, since
// an epilogue takes vectors, and from there to the result while the next block
// is computed: by itself that would take as long again, on memory that is out
// of the L2 cache.
//
// Tiles are configured once in a chunk, for as many rows as there are, at most
// 16. The last tile of a chunk begins so many rows before its end. What another
// chunk may store, too, it stores by way of the stack, without those rows; they
// have the same bits. Whatever its place, an element is the same instruction's
// sums over K in the same order.
//
// Registers are named here and not by LLVM, which would configure them anew
// where the shape of one changes.
//
//===----------------------------------------------------------------------===//

#include "DotTiles.h"

#include "nax/Conversion/WeightFormat.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nax;

/// Rows of a tile; bytes of one of its rows, which are a line of the cache.
static constexpr int64_t kRows = 16, kRowBytes = 64;
/// Rows of a block; bytes of what a panel has for one step of its loop.
static constexpr int64_t kBlockRows = 2 * kRows;
/// Blocks that one panel meets at least while it is near, and the bytes of as
/// many as stay in the L2 cache.
static constexpr int64_t kLeastBlocks = 4, kNearBytes = 10 << 16;
static constexpr int64_t kStepBytes = kPairDepth * kPairColumns * 2;
/// Registers: sums at 0 to 3, row by row.
static constexpr int64_t kFirstRows = 4, kFirstPanel = 6;
/// How far ahead one tile of rows asks for its panel, which it may be alone to
/// read; and lines of the next one that two ask for in each step.
static constexpr int64_t kAheadBytes = 8192, kNextLines = 4;

/// Numbers in a chunk of rows that is worth handing to another thread.
static constexpr int64_t kRoundGrain = 1 << 16;

Value nax::roundToBf16(KernelBuilder &b, Value rows, Value scratch,
                       int64_t rest) {
  Value m = b.dim(rows, 0), k = b.dim(rows, 1);
  Value lines = b.ceilDiv(k, b.index(kPairDepth));
  lines = b.add(b.mul(b.div(lines, b.index(2)), 2), 1);
  auto type = MemRefType::get({ShapedType::kDynamic, ShapedType::kDynamic},
                              b.getI32Type());
  Value words =
      memref::ViewOp::create(b, type, scratch, b.index(0),
                             ValueRange{m, b.mul(lines, kPairDepth / 2)});
  auto round = [&](Value row, Value at, int64_t lanes) {
    Value x = b.loadLanes(rows, {row, at}, lanes);
    x = arith::TruncFOp::create(b, b.vectorOf(b.getBF16Type()), x);
    auto half = VectorType::get({kLanes / 2}, b.getI32Type());
    b.storeVector(vector::BitCastOp::create(b, half, x), words,
                  {row, b.div(at, b.index(2))});
  };
  auto roundRest = [&](Value row, Value at) {
    for (int64_t done = 0; rest > 0 && done < kPairDepth; done += kLanes)
      round(row, b.add(at, done), std::clamp<int64_t>(rest - done, 0, kLanes));
  };
  Value wanted = b.add(b.div(b.mul(m, k), b.index(kRoundGrain)), 1);
  Value chunks = b.min(b.min(wanted, b.index(kMaxChunks)), m);
  b.parallel(chunks, [&](Value chunk) {
    auto [from, to] = b.share(m, chunk, chunks);
    Value whole = b.sub(k, b.index(rest));
    b.loop(from, to, 1, [&](Value row) {
      b.loop(b.index(0), whole, kLanes,
             [&](Value at) { round(row, at, kLanes); });
      roundRest(row, whole);
    });
  });
  return words;
}

namespace {

class Tiles {
public:
  Tiles(KernelBuilder &b, Value rows, Value panels, Value result,
        Epilogue &epilogue)
      : b(b), rows(rows), panels(panels), result(result), epilogue(epilogue) {}

  /// Within a chunk, before its tiles.
  void begin() {
    sums = b.onStack({4 * kBlockRows, kLanes}, b.getF32Type());
    count = b.min(b.dim(rows, 0), b.index(kRows));
    auto words = [&](ArrayRef<int32_t> words) -> Value {
      auto type = b.vectorOf(b.getI32Type());
      return arith::ConstantOp::create(b, DenseElementsAttr::get(type, words));
    };
    // Palette 1, bytes of a row of 8 registers, rows of each, those of a panel
    // 16: Intel's manual, "LDTILECFG".
    constexpr int32_t each = kRowBytes << 16 | kRowBytes;
    Value fixed = words({1, 0, 0, 0, each, each, each, each, 0, 0, 0, 0, 0,
                         kRows << 24 | kRows << 16, 0, 0});
    Value ofRows =
        words({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01010101, 0x0101, 0, 0});
    Value config = b.onStack({kLanes}, b.getI32Type());
    Value own = arith::MulIOp::create(b, b.broadcast(b.toI32(count)), ofRows);
    b.storeVector(arith::AddIOp::create(b, fixed, own), config, b.index(0));
    call("ldtilecfg", pointer(addressOf(config)));
  }
  void end() { call("tilerelease", {}); }

  /// The rows of a chunk times a panel.
  void panelOf(const DotChunk &chunk, Value panel, Value column,
               PanelColumns cols) {
    this->panel = panel, this->column = column, this->cols = cols;
    steps = b.div(b.dim(panels, 1), b.index(kPairDepth / 2));
    panelBytes = b.mul(steps, kStepBytes);
    stride = b.mul(b.dim(rows, 1), 4);
    auto type = cast<MemRefType>(result.getType());
    isResult = epilogue.isEmpty() && type.getLayout().isIdentity() &&
               cols.vectors == 2 && cols.lanesOfLast == kLanes;
    Value zero = b.index(0);
    Values last =
        b.loop(chunk.fromRow, chunk.toRow, kBlockRows, {zero, zero, zero, zero},
               [&](Value row, ValueRange at) {
                 return block(chunk, row, {at[0], at[1], at[2], at[3]});
               });
    store({last[0], last[1], last[2], last[3]}, zero, last[2]);
  }

private:
  /// Sums of a block that are to be stored: `count` rows of them from `from` on
  /// are those of the result from `row` on. `next` is where those of the next
  /// block go.
  struct Pending {
    Value row, from, count, next;
  };

  /// Where sums of a block go: its first line, and bytes from row to row.
  struct Target {
    Value address, stride;
  };

  /// Rows `row` to `chunk.toRow`, at most kBlockRows. The sums of the block
  /// before are stored meanwhile, since memory takes as long as products.
  /// Returns what is pending then.
  Values block(const DotChunk &chunk, Value row, Pending pending) {
    Value left = b.min(b.sub(chunk.toRow, row), b.index(kBlockRows));
    Value areMany =
        b.compare(KernelBuilder::Predicate::sgt, left, b.index(kRows));
    // Rows before this one that its first tile has, too.
    Value before =
        b.select(areMany, b.index(0), b.sub(count, b.min(left, count)));
    Value first = b.sub(row, before), second = b.sub(left, b.index(kRows));
    nextRow = b.add(row, b.index(kBlockRows));
    Value passed = b.div(b.sub(row, chunk.fromRow), b.index(kBlockRows));
    next =
        b.add(panelBytes, b.mul(b.mul(passed, steps), kNextLines * kRowBytes));
    Target to{b.add(addressOf(sums), b.mul(pending.next, 2 * kRowBytes)),
              b.index(2 * kRowBytes)};
    Value toBeStored = left;
    if (isResult) {
      Value isNew = b.compare(KernelBuilder::Predicate::eq, before, b.index(0));
      Value rowBytes = b.mul(b.dim(result, 1), 4);
      Value there = b.add(addressOf(result),
                          b.add(b.mul(first, rowBytes), b.mul(column, 4)));
      to = {b.select(isNew, there, to.address),
            b.select(isNew, rowBytes, to.stride)};
      toBeStored = b.select(isNew, b.index(0), left);
    }
    b.when(
        areMany,
        [&] { sumUp({first, b.add(first, second)}, second, to, pending); },
        [&] { sumUp({first}, second, to, pending); });
    return {row, b.add(pending.next, before), toBeStored,
            b.sub(b.index(kBlockRows), pending.next)};
  }

  /// Rows `from` to `to` of what is pending.
  void store(Pending pending, Value from, Value to) {
    epilogue.storeWritten(sums, 2, b.add(pending.from, from),
                          b.add(pending.from, to), b.add(pending.row, from),
                          column, cols, result);
  }

  /// Tiles of rows from each of `starts` on, to rows of `to`; the sums of the
  /// second one go from its row `second` on.
  void sumUp(Values starts, Value second, Target to, Pending pending) {
    int64_t tiles = starts.size();
    Value share = b.ceilDiv(pending.count, steps);
    // Addresses move with the loop, so that nothing is left to compute in it:
    // what the panel is asked for ahead, the panel, rows.
    Values from{tiles == 1 ? b.index(kAheadBytes) : next,
                b.add(addressOf(panels), b.mul(panel, panelBytes))};
    for (Value start : starts)
      from.push_back(b.add(addressOf(rows), b.mul(start, stride)));
    for (int64_t t = 0; t < 2 * tiles; ++t)
      call("tilezero", tile(t));
    b.loop(b.index(0), steps, 1, from, [&](Value step, ValueRange at) {
      addStep(at[0], at[1], at.drop_front(2));
      // Of sums that are the result no more than a chunk's last rows wait.
      if (isResult && tiles == 2) {
        fetchResult(step);
      } else if (!isResult) {
        Value done = b.min(b.mul(step, share), pending.count);
        store(pending, done, b.min(b.add(done, share), pending.count));
      }
      Values moved{b.add(at[0], linesAhead(tiles) * kRowBytes),
                   b.add(at[1], kStepBytes)};
      for (Value line : at.drop_front(2))
        moved.push_back(b.add(line, kRowBytes));
      return moved;
    });
    for (int64_t r = 0; r < tiles; ++r)
      for (int64_t c = 0; c < 2; ++c) {
        Value offset = r ? b.mul(second, to.stride) : b.index(0);
        Value line = b.add(to.address, b.add(offset, c * kRowBytes));
        call("tilestored64",
             {tile(2 * r + c), pointer(line), toI64(to.stride)});
      }
  }

  void addStep(Value ahead, Value weights, ValueRange lines) {
    for (int64_t c = 0; c < 2; ++c)
      load(kFirstPanel + c, b.add(weights, c * kRowBytes),
           b.index(2 * kRowBytes));
    // Rows stream past the nearest cache where the panel is to stay in it; rows
    // that are a tile alone stay there themselves.
    StringRef loadRows = lines.size() == 1 ? "tileloadd64" : "tileloaddt164";
    for (auto [r, line] : llvm::enumerate(lines))
      load(kFirstRows + r, line, stride, loadRows);
    prefetch(ahead, linesAhead(lines.size()), lines.size() == 1 ? 3 : 2);
    for (int64_t r = 0; r < int64_t(lines.size()); ++r)
      for (int64_t c = 0; c < 2; ++c)
        call("tdpbf16ps",
             {tile(2 * r + c), tile(kFirstRows + r), tile(kFirstPanel + c)});
  }

  /// Asks for lines of the result that the next block writes.
  void fetchResult(Value step) {
    constexpr int64_t kFetchedRows = 2;
    Value isNeeded = b.compare(KernelBuilder::Predicate::slt, step,
                               b.index(kBlockRows / kFetchedRows));
    Value first = b.add(nextRow, b.mul(step, kFetchedRows));
    b.when(isNeeded, [&] {
      for (int64_t r = 0; r < kFetchedRows; ++r)
        for (int64_t c = 0; c < 2; ++c)
          memref::PrefetchOp::create(
              b, result, ValueRange{b.add(first, r), b.add(column, c * kLanes)},
              /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
    });
  }

  /// One tile of rows needs all of its panel soon, two a part of the next.
  static int64_t linesAhead(int64_t tiles) {
    return tiles == 1 ? kStepBytes / kRowBytes : kNextLines;
  }

  void load(int64_t number, Value from, Value bytesOfRow,
            StringRef how = "tileloadd64") {
    call(how, {tile(number), pointer(from), toI64(bytesOfRow)});
  }
  /// `count` lines of the panel from byte `from` on, or of what follows it.
  void prefetch(Value from, int64_t count, int64_t locality) {
    Value zero = b.index(0), number = b.div(from, b.index(2));
    for (int64_t i = 0; i < count; ++i)
      memref::PrefetchOp::create(
          b, panels,
          ValueRange{panel, zero, zero, b.add(number, i * kRowBytes / 2)},
          /*isWrite=*/false, locality, /*isDataCache=*/true);
  }

  void call(StringRef name, ValueRange operands) {
    LLVM::CallIntrinsicOp::create(b, b.getStringAttr("llvm.x86." + name.str()),
                                  operands);
  }
  Value tile(int64_t number) {
    return arith::ConstantOp::create(b, b.getI8IntegerAttr(number));
  }
  Value toI64(Value index) {
    return b.createOrFold<arith::IndexCastOp>(b.getI64Type(), index);
  }

  /// Of a buffer that begins where its memory does.
  Value addressOf(Value memref) {
    return memref::ExtractAlignedPointerAsIndexOp::create(b, memref);
  }
  Value pointer(Value address) {
    return LLVM::IntToPtrOp::create(
        b, LLVM::LLVMPointerType::get(b.getContext()), toI64(address));
  }

  KernelBuilder &b;
  Value rows, panels, result;
  Epilogue &epilogue;
  // Of the chunk.
  Value sums;  ///< of two blocks, [2 rows, lanes]
  Value count; ///< rows of a tile
  // Of the panel.
  Value panel, column, panelBytes, steps, stride;
  PanelColumns cols = {};
  bool isResult = false; ///< sums are the result
  // Of the block.
  Value next;    ///< what it asks for of the next panel
  Value nextRow; ///< of the block after it
};

} // namespace

void nax::emitDotTiles(KernelBuilder &b, Value rows, Value panels, Value result,
                       DotShape shape, Epilogue &epilogue) {
  shape.tileRows = kBlockRows;
  shape.blockBytes = kNearBytes;
  shape.leastTiles = kLeastBlocks;
  emitDotChunks(b, b.dim(rows, 0), shape, [&](const DotChunk &chunk) {
    Tiles tiles(b, rows, panels, result, epilogue);
    tiles.begin();
    forEachPanel(b, chunk, shape,
                 [&](Value panel, Value column, PanelColumns cols) {
                   tiles.panelOf(chunk, panel, column, cols);
                 });
    tiles.end();
  });
}
