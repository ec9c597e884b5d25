//===- QuantisedRows.cpp - rows as quantised weights meet them ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A block of 32 numbers becomes integers of 8 bits and one scale, once for all
// panels. What comes out depends on the block alone and is the same at every
// CPU level. A NaN makes NaN of the scale; of an infinity the scale is one.
//
//===----------------------------------------------------------------------===//

#include "QuantisedRows.h"

#include "nax/Conversion/ExpandKernels.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nax;

/// Numbers in a chunk that is worth handing to another thread.
static constexpr int64_t kGrain = 1 << 15;
/// A block whose largest number is smaller counts as zeros: 127 divided by it
/// would be near the end of f32.
static constexpr int32_t kLeastBits = (127 - 100) << 23; // 2^-100
/// Added to a number below 2^22, leaves its nearest integer in the low bits.
static constexpr double kRounder = 12582912; // 1.5 * 2^23
static constexpr int32_t kRounderBits = 0x4B400000;

RowForm RowForm::get(kernel::DotOp op, bool hasVnni) {
  int64_t k = cast<MemRefType>(op.getA().getType()).getDimSize(1);
  bool exact = op.getExact();
  return {*WeightFormat::get(*op.getStored()), k, exact, hasVnni && !exact};
}

int64_t nax::quantisedRowBytes(kernel::DotOp op) {
  return 4 * std::max(RowForm::get(op, /*hasVnni=*/false).words(),
                      RowForm::get(op, /*hasVnni=*/true).words());
}

QuantisedRows::QuantisedRows(KernelBuilder &b, const RowForm &form, Value rows,
                             Value scratch)
    : b(b), form(form), rows(rows) {
  if (form.words() == 0)
    return;
  auto type =
      MemRefType::get({ShapedType::kDynamic, form.words()}, b.getI32Type());
  words = memref::ViewOp::create(b, type, scratch, b.index(0),
                                 ValueRange{b.dim(rows, 0)});
}

void QuantisedRows::quantise() {
  if (form.words() == 0)
    return;
  Value m = b.dim(rows, 0);
  Value wanted = b.add(b.div(b.mul(m, form.k), b.index(kGrain)), 1);
  Value chunks = b.min(b.min(wanted, b.index(kMaxChunks)), m);
  b.parallel(chunks, [&](Value chunk) {
    auto [from, to] = b.share(m, chunk, chunks);
    b.loop(from, to, 1, [&](Value row) {
      b.loop(b.index(0), b.index(form.k / kRowBlock), 1, [&](Value block) {
        form.exact ? sumBlock(row, block) : quantiseBlock(row, block);
      });
    });
  });
}

static Value bitsOf(KernelBuilder &b, Value x) {
  Type type = b.getI32Type();
  if (auto vector = dyn_cast<VectorType>(x.getType()))
    type = b.vectorOf(type);
  return arith::BitcastOp::create(b, type, x);
}
static Value floatOf(KernelBuilder &b, Value x) {
  Type type = b.getF32Type();
  if (auto vector = dyn_cast<VectorType>(x.getType()))
    type = b.vectorOf(type);
  return arith::BitcastOp::create(b, type, x);
}
static Value i32(KernelBuilder &b, int32_t value) {
  return arith::ConstantIntOp::create(b, value, 32);
}
static Value reduce(KernelBuilder &b, vector::CombiningKind kind, Value x) {
  return vector::ReductionOp::create(b, kind, x);
}

void QuantisedRows::quantiseBlock(Value row, Value block) {
  Value column = b.mul(block, kRowBlock);
  Values x;
  Value largest;
  Value noSign = b.broadcast(i32(b, 0x7fffffff));
  for (int64_t half : {0, 1}) {
    x.push_back(b.loadVector(rows, {row, b.add(column, half * kLanes)}));
    // As integers, so that the largest is NaN if one is.
    Value size = arith::AndIOp::create(b, bitsOf(b, x[half]), noSign);
    largest = largest ? arith::MaxSIOp::create(b, largest, size) : size;
  }
  Value bits = reduce(b, vector::CombiningKind::MAXSI, largest);
  Value isSome = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, bits,
                                       i32(b, kLeastBits));
  Value most = floatOf(b, bits), zero = b.scalar(0.0);
  Value scale = b.select(isSome, b.divf(most, b.scalar(127.0)), zero);
  Value factor =
      b.broadcast(b.select(isSome, b.divf(b.scalar(127.0), most), zero));
  setWord(bitsOf(b, scale), row, form.scalesAt(), block);

  Values integers;
  for (int64_t half : {0, 1}) {
    Value rounded = b.addf(b.mulf(x[half], factor), b.splat(kRounder));
    integers.push_back(arith::SubIOp::create(
        b, bitsOf(b, rounded), b.broadcast(i32(b, kRounderBits))));
    Value at = b.add(column, half * kLanes);
    if (!form.inBytes) {
      Value number = b.subf(rounded, b.splat(kRounder));
      b.storeVector(bitsOf(b, number), words, {row, at});
      continue;
    }
    Value bytes =
        arith::TruncIOp::create(b, b.vectorOf(b.getI8Type()), integers.back());
    auto four = VectorType::get({4}, b.getI32Type());
    b.storeVector(vector::BitCastOp::create(b, four, bytes), words,
                  {row, b.div(at, b.index(4))});
  }
  if (!form.hasSums())
    return;
  if (form.format.scale == kRowBlock)
    integers = {arith::AddIOp::create(b, integers[0], integers[1])};
  for (auto [i, unit] : llvm::enumerate(integers)) {
    Value sum = reduce(b, vector::CombiningKind::ADD, unit);
    if (form.format.hasLeast()) {
      sum = arith::SIToFPOp::create(b, b.getF32Type(), sum);
      sum = bitsOf(b, b.mulf(sum, scale));
    } else {
      sum = arith::MulIOp::create(b, sum, i32(b, -form.format.offset));
    }
    setWord(sum, row, form.sumsAt(),
            b.add(b.mul(block, kRowBlock / form.format.scale), i));
  }
}

void QuantisedRows::sumBlock(Value row, Value block) {
  Value column = b.mul(block, kRowBlock);
  Value sum = b.addf(b.loadVector(rows, {row, column}),
                     b.loadVector(rows, {row, b.add(column, kLanes)}));
  Value all = b.sumOfLanes(sum);
  Value first = vector::ExtractOp::create(b, all, ArrayRef<int64_t>{0});
  setWord(bitsOf(b, first), row, form.sumsAt(), block);
}

Value QuantisedRows::word(Value row, int64_t field, Value at) {
  return b.load(words, {row, b.add(at, field)});
}
void QuantisedRows::setWord(Value value, Value row, int64_t field, Value at) {
  b.store(value, words, {row, b.add(at, field)});
}

Value QuantisedRows::fourBytes(Value row, Value group) {
  return b.broadcast(word(row, 0, group));
}
Value QuantisedRows::number(Value row, Value column) {
  if (form.exact)
    return b.broadcast(b.load(rows, {row, column}));
  return b.broadcast(floatOf(b, word(row, 0, column)));
}
Value QuantisedRows::scale(Value row, Value block) {
  return b.broadcast(floatOf(b, word(row, form.scalesAt(), block)));
}
Value QuantisedRows::start(Value row, Value unit) {
  return b.broadcast(word(row, form.sumsAt(), unit));
}
Value QuantisedRows::sum(Value row, Value block) {
  return b.broadcast(floatOf(b, word(row, form.sumsAt(), block)));
}
