//===- DotQuantised.cpp - rows times a matrix of quantised blocks ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Blocks of weights stay as they are stored: q, for each column of a panel, and
// a scale. The products of one scale are summed up first, then times the scales
// added to the element, block after block, in f32. So an element's sum has one
// order whatever tile, chunk or number of rows it belongs to. Rows are blocks
// of integers, too, and the sums of products are integers: by VNNI, or in f32,
// which holds them exactly, so that both give the same. With `exact` rows are
// f32 as they are.
//
//===----------------------------------------------------------------------===//

#include "DotChunks.h"
#include "Epilogue.h"
#include "QuantisedRows.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nax;

/// Rows of a tile of products of bytes: integers and the sums of their products
/// with scales have a register each.
static constexpr int64_t kByteRows = 5;

namespace {

/// Vectors of 16 columns of one block of 32 neighbours in K.
class Weights {
public:
  Weights(KernelBuilder &b, const WeightFormat &format, Value panels,
          int64_t width)
      : b(b), format(format), panels(panels), width(width),
        parts(format.block / kRowBlock) {}

  /// Where all that follows is: block `at` of 32 of a panel.
  void set(Value panel, Value at) {
    this->panel = panel;
    record = b.div(at, b.index(parts));
    part = b.rem(at, b.index(parts));
  }

  /// The scale of products `unit` of the block, in columns from 16 * `v` on.
  Value scale(int64_t unit, int64_t v) {
    Value scale = half(0, v);
    if (format.scalesAt < 0)
      return scale;
    int64_t units = kRowBlock / format.scale;
    Value at = b.add(b.mul(part, units), unit);
    return b.mulf(
        scale, small(format.scalesAt, at, v, format.stored == NAX_STORED_Q6_K));
  }

  /// What is added to each number of the block.
  Value least(int64_t v) {
    Value least = half(format.leastAt, v);
    if (format.leastsAt < 0)
      return least;
    Value times = small(format.leastsAt, part, v, /*isSigned=*/false);
    return arith::NegFOp::create(b, b.mulf(least, times));
  }

  /// Groups of four numbers come in pairs, which share bytes where a number
  /// has four bits: the number of the first, or of the second, of `pair`.
  Value group(Value pair, bool second) {
    if (format.bits == 8)
      return b.add(b.mul(pair, 2), second);
    return second ? b.add(pair, 4) : pair;
  }
  /// Of four numbers of a group, q as bytes of an i32.
  Value four(Value pair, bool second, int64_t v) {
    Value at = group(pair, second);
    if (format.bits == 8)
      return words(format.quantsAt, at, v);
    Value low = words(format.quantsAt, b.add(b.mul(part, 4), pair), v);
    if (second)
      low = shiftRight(low, b.index(4));
    low = masked(low, 0x0f0f0f0f);
    if (format.highAt < 0)
      return low;
    Value row = b.add(b.mul(part, 2), b.rem(at, b.index(2)));
    Value high = words(format.highAt, row, v);
    high = shiftRight(high, b.mul(b.div(at, b.index(2)), 2));
    high = arith::ShLIOp::create(b, masked(high, 0x03030303), splat(4));
    return arith::OrIOp::create(b, low, high);
  }
  /// Byte `j` of `four` less the offset, as f32.
  Value number(Value four, int64_t j) {
    // The bits of 2^23 + q have q as they are.
    constexpr int32_t bits = 0x4B000000;
    Value q = j ? shiftRight(four, b.index(8 * j)) : four;
    q = arith::OrIOp::create(b, masked(q, 0xff), splat(bits));
    q = arith::BitcastOp::create(b, b.f32x16(), q);
    return b.subf(q, b.splat(8388608.0 + format.offset));
  }

  /// Asks for what a tile of one row reads some blocks later.
  void prefetch() {
    constexpr int64_t ahead = 2048, line = 64;
    int64_t bytes = format.recordBytes(width) / parts;
    for (int64_t at = 0; at < bytes; at += line)
      memref::PrefetchOp::create(
          b, panels,
          ValueRange{panel, record, b.add(b.mul(part, bytes), at + ahead)},
          /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
  }

private:
  Value splat(int32_t value) {
    return b.broadcast(arith::ConstantIntOp::create(b, value, 32));
  }
  Value masked(Value x, int32_t mask) {
    return arith::AndIOp::create(b, x, splat(mask));
  }
  Value shiftRight(Value x, Value by) {
    return arith::ShRUIOp::create(b, x, b.broadcast(b.toI32(by)));
  }
  /// `bytes` for each of sixteen columns, in row `row` of a field.
  Value load(int64_t field, Value row, int64_t bytes, int64_t v, Type as) {
    Value at =
        b.add(b.mul(row, width * bytes), field * width + v * kLanes * bytes);
    auto type = VectorType::get({kLanes * bytes}, b.getI8Type());
    Value loaded =
        vector::LoadOp::create(b, type, panels, ValueRange{panel, record, at});
    return bytes == 1 ? loaded
                      : vector::BitCastOp::create(b, b.vectorOf(as), loaded);
  }
  Value words(int64_t field, Value row, int64_t v) {
    return load(field, row, 4, v, b.getI32Type());
  }
  Value half(int64_t field, int64_t v) {
    Value loaded = load(field, b.index(0), 2, v, b.getF16Type());
    return arith::ExtFOp::create(b, b.f32x16(), loaded);
  }
  Value small(int64_t field, Value row, int64_t v, bool isSigned) {
    Value x = load(field, row, 1, v, b.getI8Type());
    Type wide = b.vectorOf(b.getI32Type());
    x = isSigned ? arith::ExtSIOp::create(b, wide, x).getResult()
                 : arith::ExtUIOp::create(b, wide, x).getResult();
    return arith::SIToFPOp::create(b, b.f32x16(), x);
  }

  KernelBuilder &b;
  const WeightFormat &format;
  Value panels; // [N / NR, K / B, bytes]
  int64_t width, parts;
  Value panel, record, part;
};

/// acc + the products of four bytes each, of which only the second's have a
/// sign.
Value addProducts(KernelBuilder &b, Value acc, Value x, Value y) {
  auto bytes = VectorType::get({4 * kLanes}, b.getI8Type());
  return LLVM::CallIntrinsicOp::create(
             b, acc.getType(), b.getStringAttr("llvm.x86.avx512.vpdpbusd.512"),
             ValueRange{acc, vector::BitCastOp::create(b, bytes, x),
                        vector::BitCastOp::create(b, bytes, y)})
      .getResult(0);
}

struct QuantisedDot {
  KernelBuilder &b;
  const RowForm &form;
  QuantisedRows &rows;
  Weights &weights;
  Value result;
  Epilogue &epilogue;

  int64_t units() const { return kRowBlock / form.format.scale; }

  void tile(int64_t count, Value row, Value panel, Value column,
            PanelColumns cols) {
    Values rowAt;
    for (int64_t r = 0; r < count; ++r)
      rowAt.push_back(b.add(row, r));
    Values zeros(count * cols.vectors, b.splat(0.0));
    Values sums =
        b.loop(b.index(0), b.index(form.k / kRowBlock), 1, zeros,
               [&](Value block, ValueRange sums) {
                 weights.set(panel, block);
                 if (count == 1)
                   weights.prefetch();
                 return addBlock(rowAt, block, cols.vectors, Values(sums));
               });
    epilogue.store(sums, count, row, column, cols, result);
  }

  /// `sums` and what one block of 32 adds to them.
  Values addBlock(ValueRange rowAt, Value block, int64_t vectors, Values sums) {
    for (int64_t unit = 0; unit < units(); ++unit) {
      Values products = form.inBytes
                            ? bytesTimesUnit(rowAt, block, unit, vectors)
                            : numbersTimesUnit(rowAt, block, unit, vectors);
      Values scales;
      for (int64_t v = 0; v < vectors; ++v)
        scales.push_back(weights.scale(unit, v));
      for (auto [r, at] : llvm::enumerate(rowAt)) {
        Value own = form.exact ? Value() : rows.scale(at, block);
        for (int64_t v = 0; v < vectors; ++v) {
          Value scale = own ? b.mulf(scales[v], own) : scales[v];
          Value &sum = sums[r * vectors + v];
          sum = b.fma(products[r * vectors + v], scale, sum);
        }
      }
    }
    if (!form.format.hasLeast())
      return sums;
    Values least;
    for (int64_t v = 0; v < vectors; ++v)
      least.push_back(weights.least(v));
    for (auto [r, at] : llvm::enumerate(rowAt)) {
      Value own = rows.sum(at, block);
      for (int64_t v = 0; v < vectors; ++v) {
        Value &sum = sums[r * vectors + v];
        sum = b.fma(least[v], own, sum);
      }
    }
    return sums;
  }

  /// Whether unit `unit` has the first groups of pairs, the second ones, or
  /// all.
  SmallVector<bool> groupsOf(int64_t unit) const {
    if (units() == 1)
      return {false, true};
    return {unit == 1};
  }

  /// The sum of products that one scale is for, of each row and vector.
  Values bytesTimesUnit(ValueRange rowAt, Value block, int64_t unit,
                        int64_t vectors) {
    Values sums;
    Value zero = arith::ConstantIntOp::create(b, 0, 32);
    for (Value at : rowAt) {
      Value start = form.hasSums() && !form.format.hasLeast()
                        ? rows.start(at, b.add(b.mul(block, units()), unit))
                        : b.broadcast(zero);
      sums.append(vectors, start);
    }
    for (int64_t pair = 0; pair < kRowBlock / 8; ++pair)
      for (bool second : groupsOf(unit)) {
        Values four;
        for (int64_t v = 0; v < vectors; ++v)
          four.push_back(weights.four(b.index(pair), second, v));
        Value group = weights.group(b.index(pair), second);
        group = b.add(b.mul(block, kRowBlock / 4), group);
        for (auto [r, at] : llvm::enumerate(rowAt)) {
          Value x = rows.fourBytes(at, group);
          for (int64_t v = 0; v < vectors; ++v) {
            Value &sum = sums[r * vectors + v];
            sum = addProducts(b, sum, four[v], x);
          }
        }
      }
    for (Value &sum : sums)
      sum = arith::SIToFPOp::create(b, b.f32x16(), sum);
    return sums;
  }

  Values numbersTimesUnit(ValueRange rowAt, Value block, int64_t unit,
                          int64_t vectors) {
    Values zeros(rowAt.size() * vectors, b.splat(0.0));
    return b.loop(b.index(0), b.index(kRowBlock / 8), 1, zeros,
                  [&](Value pair, ValueRange before) {
                    Values sums(before);
                    for (bool second : groupsOf(unit))
                      addGroup(rowAt, block, pair, second, vectors, sums);
                    return sums;
                  });
  }

  void addGroup(ValueRange rowAt, Value block, Value pair, bool second,
                int64_t vectors, Values &sums) {
    Values four;
    for (int64_t v = 0; v < vectors; ++v)
      four.push_back(weights.four(pair, second, v));
    Value group =
        b.add(b.mul(block, kRowBlock / 4), weights.group(pair, second));
    Value column = b.mul(group, 4);
    for (int64_t j = 0; j < 4; ++j) {
      Values numbers;
      for (int64_t v = 0; v < vectors; ++v)
        numbers.push_back(weights.number(four[v], j));
      for (auto [r, at] : llvm::enumerate(rowAt)) {
        Value x = rows.number(at, b.add(column, j));
        for (int64_t v = 0; v < vectors; ++v) {
          Value &sum = sums[r * vectors + v];
          sum = b.fma(x, numbers[v], sum);
        }
      }
    }
  }
};

} // namespace

void nax::emitDotQuantised(KernelBuilder &b, kernel::DotOp op, ValueRange args,
                           const CpuTarget &cpu) {
  RowForm form = RowForm::get(op, cpu.hasVnni);
  int64_t width = cast<MemRefType>(op.getPanels().getType()).getDimSize(2) /
                  form.format.bytes;
  kernel::DotOp::Adaptor given(args.take_front(op->getNumOperands()), op);
  DotShape shape = DotShape::get(b, op, given, width, cpu);
  shape.rowBytes = b.index(4 * (form.exact ? form.k : form.words()));
  if (form.inBytes)
    shape.tileRows = std::min(shape.tileRows, kByteRows);
  QuantisedRows rows(b, form, given.getA(), given.getScratch());
  Weights weights(b, form.format, given.getPanels(), width);
  Epilogue epilogue(b, op, given.getExtras(),
                    args.drop_front(op->getNumOperands()));
  QuantisedDot dot{b, form, rows, weights, given.getC(), epilogue};
  rows.quantise();
  emitDotChunks(b, b.dim(given.getA(), 0), shape, [&](const DotChunk &chunk) {
    epilogue.begin(shape);
    forEachPanel(b, chunk, shape,
                 [&](Value panel, Value column, PanelColumns cols) {
                   forEachTile(b, chunk.fromRow, chunk.toRow, shape.tileRows,
                               [&](int64_t count, Value row) {
                                 dot.tile(count, row, panel, column, cols);
                               });
                 });
  });
}
