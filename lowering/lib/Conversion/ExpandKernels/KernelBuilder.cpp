//===- KernelBuilder.cpp - short words for writing kernels ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "nax/Conversion/MathBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nax;

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(*this, value);
}
Value KernelBuilder::add(Value x, Value y) {
  return createOrFold<arith::AddIOp>(x, y);
}
Value KernelBuilder::sub(Value x, Value y) {
  return createOrFold<arith::SubIOp>(x, y);
}
Value KernelBuilder::mul(Value x, Value y) {
  return createOrFold<arith::MulIOp>(x, y);
}
Value KernelBuilder::min(Value x, Value y) {
  return createOrFold<arith::MinSIOp>(x, y);
}
Value KernelBuilder::max(Value x, Value y) {
  return createOrFold<arith::MaxSIOp>(x, y);
}
Value KernelBuilder::div(Value x, Value y) {
  return createOrFold<arith::DivUIOp>(x, y);
}
Value KernelBuilder::ceilDiv(Value x, Value y) {
  return div(add(x, sub(y, index(1))), y);
}
Value KernelBuilder::rem(Value x, Value y) {
  return createOrFold<arith::RemUIOp>(x, y);
}
Value KernelBuilder::compare(Predicate predicate, Value x, Value y) {
  return createOrFold<arith::CmpIOp>(predicate, x, y);
}
Value KernelBuilder::both(Value x, Value y) {
  return createOrFold<arith::AndIOp>(x, y);
}
Value KernelBuilder::select(Value condition, Value x, Value y) {
  return createOrFold<arith::SelectOp>(condition, x, y);
}
Value KernelBuilder::toIndex(Value x) {
  return createOrFold<arith::IndexCastOp>(getIndexType(), x);
}
Value KernelBuilder::toI32(Value x) {
  return createOrFold<arith::IndexCastOp>(getI32Type(), x);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value KernelBuilder::dim(Value memref, unsigned i) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(i))
    return index(type.getDimSize(i));
  // memref.dim looks its number up in an array on the stack if constants have
  // been lowered before it.
  return memref::ExtractStridedMetadataOp::create(*this, memref).getSizes()[i];
}
Value KernelBuilder::load(Value memref, ValueRange at) {
  return memref::LoadOp::create(*this, memref, at);
}
void KernelBuilder::store(Value value, Value memref, ValueRange at) {
  memref::StoreOp::create(*this, value, memref, at);
}
Value KernelBuilder::loadVector(Value memref, ValueRange at) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  return vector::LoadOp::create(*this, vectorOf(element), memref, at);
}
void KernelBuilder::storeVector(Value value, Value memref, ValueRange at) {
  vector::StoreOp::create(*this, value, memref, at);
}
Value KernelBuilder::loadLanes(Value memref, ValueRange at, int64_t lanes) {
  if (lanes == kLanes)
    return loadVector(memref, at);
  Value mask = vector::ConstantMaskOp::create(*this, vectorOf(getI1Type()),
                                              ArrayRef<int64_t>{lanes});
  return vector::MaskedLoadOp::create(*this, f32x16(), memref, at, mask,
                                      splat(0.0));
}
void KernelBuilder::storeLanes(Value value, Value memref, ValueRange at,
                               int64_t lanes) {
  if (lanes == kLanes)
    return storeVector(value, memref, at);
  Value mask = vector::ConstantMaskOp::create(*this, vectorOf(getI1Type()),
                                              ArrayRef<int64_t>{lanes});
  vector::MaskedStoreOp::create(*this, memref, at, mask, value);
}
Value KernelBuilder::view(Value bytes, Value offset, MemRefType type) {
  return memref::ViewOp::create(*this, type, bytes, offset, ValueRange{});
}

Value KernelBuilder::onStack(ArrayRef<int64_t> shape, Type element) {
  InsertionGuard guard(*this);
  setInsertionPointToStart(getInsertionBlock());
  return memref::AllocaOp::create(*this, MemRefType::get(shape, element),
                                  ValueRange(), getI64IntegerAttr(64));
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

VectorType KernelBuilder::vectorOf(Type element) {
  return VectorType::get({kLanes}, element);
}
Value KernelBuilder::splat(double value) {
  return emitSplat(*this, getLoc(), f32x16(), value);
}
Value KernelBuilder::scalar(double value) {
  return emitSplat(*this, getLoc(), getF32Type(), value);
}
Value KernelBuilder::broadcast(Value value) {
  return vector::BroadcastOp::create(*this, vectorOf(value.getType()), value);
}
Value KernelBuilder::widen(Value x) {
  return x.getType() == f32x16() ? x
                                 : arith::ExtFOp::create(*this, f32x16(), x);
}
Value KernelBuilder::iota(int64_t first) {
  SmallVector<int32_t> lanes;
  for (int64_t lane = 0; lane < kLanes; ++lane)
    lanes.push_back(first + lane);
  return arith::ConstantOp::create(
      *this,
      DenseElementsAttr::get(vectorOf(getI32Type()), ArrayRef<int32_t>(lanes)));
}
Value KernelBuilder::fma(Value x, Value y, Value z) {
  return vector::FMAOp::create(*this, x, y, z);
}
Value KernelBuilder::mulf(Value x, Value y) {
  return arith::MulFOp::create(*this, x, y);
}
Value KernelBuilder::addf(Value x, Value y) {
  return arith::AddFOp::create(*this, x, y);
}
Value KernelBuilder::subf(Value x, Value y) {
  return arith::SubFOp::create(*this, x, y);
}
Value KernelBuilder::divf(Value x, Value y) {
  return arith::DivFOp::create(*this, x, y);
}
Value KernelBuilder::maxf(Value x, Value y) {
  Value larger = arith::CmpFOp::create(*this, arith::CmpFPredicate::OGT, x, y);
  return arith::SelectOp::create(*this, larger, x, y);
}

Values KernelBuilder::transpose(Values rows) {
  // A perfect shuffle of the rows' lanes, four times: lane l of row r, at the
  // place 16 r + l, moves by one bit of (r, l) each time, until the two halves
  // of the place have changed over.
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < kLanes / 2; ++i) {
    low.append({i, kLanes + i});
    high.append({kLanes / 2 + i, kLanes + kLanes / 2 + i});
  }
  for (int step = 0; step < 4; ++step) {
    Values next;
    for (int64_t i = 0; i < kLanes / 2; ++i) {
      Value x = rows[i], y = rows[i + kLanes / 2];
      next.push_back(vector::ShuffleOp::create(*this, x, y, low));
      next.push_back(vector::ShuffleOp::create(*this, x, y, high));
    }
    rows = next;
  }
  return rows;
}

/// Makes each lane the result of `pair` on all lanes, by halves.
static Value overLanes(KernelBuilder &b, Value x,
                       llvm::function_ref<Value(Value, Value)> pair) {
  for (int64_t far = kLanes / 2; far > 0; far /= 2) {
    SmallVector<int64_t> partner;
    for (int64_t lane = 0; lane < kLanes; ++lane)
      partner.push_back(lane ^ far);
    x = pair(x, vector::ShuffleOp::create(b, x, x, partner));
  }
  return x;
}
Value KernelBuilder::sumOfLanes(Value x) {
  return overLanes(*this, x, [&](Value x, Value y) { return addf(x, y); });
}
Value KernelBuilder::largestOfLanes(Value x) {
  return overLanes(*this, x, [&](Value x, Value y) { return maxf(x, y); });
}

Value KernelBuilder::sumOfEach(Values rows) {
  // A vector has blocks of lanes that still are to be added, one for each row
  // in it: two vectors become one with twice as many blocks of half the width.
  for (int64_t width = kLanes; width > 1; width /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t block = 0; block < kLanes; block += width)
      for (int64_t of : {block, kLanes + block})
        for (int64_t lane = 0; lane < width / 2; ++lane) {
          low.push_back(of + lane);
          high.push_back(of + width / 2 + lane);
        }
    size_t half = rows.size() / 2;
    for (size_t i = 0; i < half; ++i) {
      Value x = rows[i], y = rows[i + half];
      rows[i] = addf(vector::ShuffleOp::create(*this, x, y, low),
                     vector::ShuffleOp::create(*this, x, y, high));
    }
    rows.resize(half);
  }
  return rows[0];
}

Value KernelBuilder::slice(Value x, int64_t first, int64_t lanes) {
  if (lanes == kLanes)
    return x;
  return vector::ExtractStridedSliceOp::create(
      *this, x, ArrayRef<int64_t>{first}, ArrayRef<int64_t>{lanes},
      ArrayRef<int64_t>{1});
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

Values KernelBuilder::loop(Value from, Value to, int64_t step, ValueRange init,
                           llvm::function_ref<Values(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(
      *this, from, to, index(step), init,
      [&](OpBuilder &, Location loc, Value iv, ValueRange args) {
        OpBuilder::InsertPoint outer = saveInsertionPoint();
        // The callback comes with a builder of its own; ours follows it.
        setInsertionPointToEnd(iv.getParentBlock());
        scf::YieldOp::create(*this, body(iv, args));
        restoreInsertionPoint(outer);
      });
  return Values(loop.getResults());
}

void KernelBuilder::loop(Value from, Value to, int64_t step,
                         llvm::function_ref<void(Value)> body) {
  loop(from, to, step, ValueRange(), [&](Value iv, ValueRange) {
    body(iv);
    return Values();
  });
}

Values
KernelBuilder::unrolledLoop(Value from, Value to, int64_t unroll,
                            ValueRange init,
                            llvm::function_ref<Values(Value, Values)> body) {
  Value rest = rem(sub(to, from), index(unroll));
  Value whole = sub(to, rest);
  Values carried =
      loop(from, whole, unroll, init, [&](Value at, ValueRange values) {
        Values next(values);
        for (int64_t i = 0; i < unroll; ++i)
          next = body(add(at, i), next);
        return next;
      });
  std::optional<int64_t> known = getConstantIntValue(rest);
  if (!known)
    return loop(whole, to, 1, carried, [&](Value at, ValueRange values) {
      return body(at, Values(values));
    });
  for (int64_t i = 0; i < *known; ++i)
    carried = body(add(whole, i), carried);
  return carried;
}

void KernelBuilder::when(Value condition, llvm::function_ref<void()> then,
                         llvm::function_ref<void()> otherwise) {
  if (std::optional<int64_t> known = getConstantIntValue(condition)) {
    if (*known)
      then();
    else if (otherwise)
      otherwise();
    return;
  }
  auto branch = scf::IfOp::create(*this, condition, bool(otherwise));
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  then();
  if (otherwise) {
    setInsertionPointToStart(branch.elseBlock());
    otherwise();
  }
}

Values KernelBuilder::either(Value condition, llvm::function_ref<Values()> then,
                             llvm::function_ref<Values()> otherwise) {
  if (std::optional<int64_t> known = getConstantIntValue(condition))
    return *known ? then() : otherwise();
  auto writer = [&](llvm::function_ref<Values()> body) {
    return [this, body](OpBuilder &inner, Location loc) {
      InsertionGuard guard(*this);
      restoreInsertionPoint(inner.saveInsertionPoint());
      Values made = body();
      inner.restoreInsertionPoint(saveInsertionPoint());
      scf::YieldOp::create(inner, loc, made);
    };
  };
  auto branch =
      scf::IfOp::create(*this, condition, writer(then), writer(otherwise));
  return Values(branch.getResults());
}

void KernelBuilder::parallel(Value n, llvm::function_ref<void(Value)> body,
                             Value rounds) {
  auto number = [&](Value x) {
    return x ? createOrFold<arith::IndexCastOp>(getI64Type(), x) : Value();
  };
  Value count = number(n), turns = number(rounds);
  auto region = ParallelOp::create(*this, count, turns);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(&region.getBody().front());
  body(toIndex(region.getChunk()));
}

std::pair<Value, Value> KernelBuilder::share(Value total, Value chunk,
                                             Value chunks) {
  return {div(mul(chunk, total), chunks),
          div(mul(add(chunk, 1), total), chunks)};
}
