//===- GpuBuilder.cpp - arithmetic, threads and loops ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "GpuBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace nax;

using Predicate = GpuBuilder::Predicate;

//===----------------------------------------------------------------------===//
// Whole numbers
//===----------------------------------------------------------------------===//

Value GpuBuilder::i32(int64_t value) {
  return arith::ConstantOp::create(*this, getI32IntegerAttr(value));
}
Value GpuBuilder::i64(int64_t value) {
  return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
}
Value GpuBuilder::like(Value x, int64_t value) {
  return x.getType().isInteger(64) ? i64(value) : i32(value);
}

Value GpuBuilder::toI64(Value x) {
  if (x.getType().isInteger(64))
    return x;
  if (x.getType().isIndex())
    return createOrFold<arith::IndexCastOp>(getI64Type(), x);
  return createOrFold<arith::ExtSIOp>(getI64Type(), x);
}
Value GpuBuilder::toI32(Value x) {
  if (x.getType().isInteger(32))
    return x;
  if (x.getType().isIndex())
    return createOrFold<arith::IndexCastOp>(getI32Type(), x);
  if (cast<IntegerType>(x.getType()).getWidth() < 32)
    return createOrFold<arith::ExtUIOp>(getI32Type(), x);
  return createOrFold<arith::TruncIOp>(getI32Type(), x);
}

Value GpuBuilder::add(Value x, Value y) {
  return createOrFold<arith::AddIOp>(x, y);
}
Value GpuBuilder::sub(Value x, Value y) {
  return createOrFold<arith::SubIOp>(x, y);
}
Value GpuBuilder::mul(Value x, Value y) {
  return createOrFold<arith::MulIOp>(x, y);
}
Value GpuBuilder::min(Value x, Value y) {
  return createOrFold<arith::MinSIOp>(x, y);
}
Value GpuBuilder::max(Value x, Value y) {
  return createOrFold<arith::MaxSIOp>(x, y);
}
Value GpuBuilder::div(Value x, Value y) {
  return createOrFold<arith::DivUIOp>(x, y);
}
Value GpuBuilder::rem(Value x, Value y) {
  return createOrFold<arith::RemUIOp>(x, y);
}
Value GpuBuilder::bitAnd(Value x, Value y) {
  return createOrFold<arith::AndIOp>(x, y);
}
Value GpuBuilder::bitOr(Value x, Value y) {
  return createOrFold<arith::OrIOp>(x, y);
}
Value GpuBuilder::bitXor(Value x, Value y) {
  return createOrFold<arith::XOrIOp>(x, y);
}
Value GpuBuilder::shiftLeft(Value x, int64_t bits) {
  return createOrFold<arith::ShLIOp>(x, like(x, bits));
}
Value GpuBuilder::shiftRight(Value x, int64_t bits) {
  return createOrFold<arith::ShRUIOp>(x, like(x, bits));
}
Value GpuBuilder::compare(Predicate predicate, Value x, Value y) {
  return createOrFold<arith::CmpIOp>(predicate, x, y);
}
Value GpuBuilder::select(Value condition, Value x, Value y) {
  return createOrFold<arith::SelectOp>(condition, x, y);
}

//===----------------------------------------------------------------------===//
// f32
//===----------------------------------------------------------------------===//

Value GpuBuilder::f32(double value) {
  return arith::ConstantOp::create(*this, getF32FloatAttr(value));
}
Value GpuBuilder::fma(Value x, Value y, Value z) {
  return LLVM::FMAOp::create(*this, x, y, z);
}
Value GpuBuilder::addf(Value x, Value y) {
  return arith::AddFOp::create(*this, x, y);
}
Value GpuBuilder::subf(Value x, Value y) {
  return arith::SubFOp::create(*this, x, y);
}
Value GpuBuilder::mulf(Value x, Value y) {
  return arith::MulFOp::create(*this, x, y);
}
Value GpuBuilder::maxf(Value x, Value y) {
  // The one of arith would become a call of libdevice.
  return LLVM::MaxNumOp::create(*this, x, y);
}
Value GpuBuilder::isZero(Value x) {
  return arith::CmpFOp::create(*this, arith::CmpFPredicate::OEQ, x, f32(0));
}

Value GpuBuilder::toF32(Value x) {
  if (x.getType().isF32())
    return x;
  if (isa<IntegerType>(x.getType()))
    return arith::SIToFPOp::create(*this, getF32Type(), x);
  if (x.getType().isF64())
    return arith::TruncFOp::create(*this, getF32Type(), x);
  return arith::ExtFOp::create(*this, getF32Type(), x);
}
Value GpuBuilder::fromF32(Value x, Type type) {
  if (type.isF32())
    return x;
  if (type.isF64())
    return arith::ExtFOp::create(*this, type, x);
  return arith::TruncFOp::create(*this, type, x);
}

static Value callIntrinsic(GpuBuilder &b, StringRef name, Value x) {
  return LLVM::CallIntrinsicOp::create(b, x.getType(), b.getStringAttr(name), x)
      .getResult(0);
}
Value GpuBuilder::exp2(Value x) {
  return callIntrinsic(*this, "llvm.nvvm.ex2.approx.ftz.f32", x);
}
Value GpuBuilder::log2(Value x) {
  return callIntrinsic(*this, "llvm.nvvm.lg2.approx.ftz.f", x);
}
Value GpuBuilder::reciprocal(Value x) {
  return callIntrinsic(*this, "llvm.nvvm.rcp.approx.ftz.f", x);
}

/// 1 - 2 / (exp(2 x) + 1), which loses its digits near 0; there an odd
/// polynomial (the series, whose next term is below 1e-8 at 0.25).
Value GpuBuilder::tanh(Value x) {
  Value power = exp2(mulf(x, f32(2 * M_LOG2E)));
  Value far = fma(reciprocal(addf(power, f32(1))), f32(-2), f32(1));
  Value square = mulf(x, x), series = f32(62.0 / 2835);
  for (double factor : {-17.0 / 315, 2.0 / 15, -1.0 / 3})
    series = fma(series, square, f32(factor));
  Value near = fma(mulf(series, square), x, x);
  Value isNear = arith::CmpFOp::create(*this, arith::CmpFPredicate::OLT, square,
                                       f32(1.0 / 16));
  return select(isNear, near, far);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

Value GpuBuilder::threadId() {
  return NVVM::ThreadIdXOp::create(*this, getI32Type());
}
Value GpuBuilder::blockId(gpu::Dimension dimension) {
  switch (dimension) {
  case gpu::Dimension::x:
    return NVVM::BlockIdXOp::create(*this, getI32Type());
  case gpu::Dimension::y:
    return NVVM::BlockIdYOp::create(*this, getI32Type());
  case gpu::Dimension::z:
    return NVVM::BlockIdZOp::create(*this, getI32Type());
  }
  llvm_unreachable("three dimensions");
}
Value GpuBuilder::lane() { return bitAnd(threadId(), kWarp - 1); }
Value GpuBuilder::warp() { return shiftRight(threadId(), 5); }
void GpuBuilder::barrier() { NVVM::BarrierOp::create(*this); }
void GpuBuilder::warpBarrier() { NVVM::SyncWarpOp::create(*this, i32(-1)); }

static Value shuffle(GpuBuilder &b, Value x, Value lane, NVVM::ShflKind kind) {
  return NVVM::ShflOp::create(b, x.getType(), b.i32(-1), x, lane,
                              b.i32(kWarp - 1), kind, UnitAttr());
}
Value GpuBuilder::shuffleXor(Value x, int64_t mask) {
  return shuffle(*this, x, i32(mask), NVVM::ShflKind::bfly);
}
Value GpuBuilder::shuffleFrom(Value x, Value from) {
  return shuffle(*this, x, from, NVVM::ShflKind::idx);
}
Value GpuBuilder::sumOfLanes(Value x, int64_t lanes) {
  for (int64_t distance = 1; distance < lanes; distance *= 2)
    x = addf(x, shuffleXor(x, distance));
  return x;
}
Value GpuBuilder::largestOfLanes(Value x, int64_t lanes) {
  for (int64_t distance = 1; distance < lanes; distance *= 2)
    x = maxf(x, shuffleXor(x, distance));
  return x;
}
Value GpuBuilder::any(Value condition) {
  return NVVM::VoteSyncOp::create(*this, getI1Type(), i32(-1), condition,
                                  NVVM::VoteSyncKind::any);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void GpuBuilder::loop(Value from, Value to, int64_t step,
                      llvm::function_ref<void(Value)> body) {
  loop(from, to, step, {}, [&](Value i, ValueRange) {
    body(i);
    return Values();
  });
}

static scf::ForOp makeLoop(GpuBuilder &b, Value from, Value to, int64_t step,
                           ValueRange init,
                           llvm::function_ref<Values(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(b, from, to, b.i32(step), init);
  if (init.empty())
    loop.getBody()->getTerminator()->erase();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(b,
                       body(loop.getInductionVar(), loop.getRegionIterArgs()));
  return loop;
}

Values GpuBuilder::loop(Value from, Value to, int64_t step, ValueRange init,
                        llvm::function_ref<Values(Value, ValueRange)> body) {
  return Values(makeLoop(*this, from, to, step, init, body).getResults());
}

Values
GpuBuilder::rolledLoop(Value from, Value to, int64_t step, ValueRange init,
                       llvm::function_ref<Values(Value, ValueRange)> body) {
  scf::ForOp loop = makeLoop(*this, from, to, step, init, body);
  auto unroll = LLVM::LoopUnrollAttr::get(getContext(), getBoolAttr(true), {},
                                          {}, {}, {}, {}, {});
  loop->setAttr("loop_annotation", LLVM::LoopAnnotationAttr::get(
                                       getContext(), {}, {}, {}, unroll, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {}, {}));
  return Values(loop.getResults());
}

void GpuBuilder::when(Value condition, llvm::function_ref<void()> then,
                      llvm::function_ref<void()> otherwise) {
  auto branch =
      scf::IfOp::create(*this, TypeRange(), condition, bool(otherwise));
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  then();
  if (!otherwise)
    return;
  setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

Values GpuBuilder::choose(Value condition, llvm::function_ref<Values()> then,
                          llvm::function_ref<Values()> otherwise) {
  // The types are known once one side is made.
  OpBuilder::InsertionGuard guard(*this);
  Block thenBlock, elseBlock;
  auto fill = [&](Block &block, llvm::function_ref<Values()> body) {
    setInsertionPointToStart(&block);
    Values made = body();
    scf::YieldOp::create(*this, made);
    return llvm::to_vector(ValueRange(made).getTypes());
  };
  OpBuilder::InsertPoint here = saveInsertionPoint();
  SmallVector<Type> types = fill(thenBlock, then);
  fill(elseBlock, otherwise);
  restoreInsertionPoint(here);
  auto branch = scf::IfOp::create(*this, types, condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  branch.thenBlock()->getOperations().splice(branch.thenBlock()->end(),
                                             thenBlock.getOperations());
  branch.elseBlock()->getOperations().splice(branch.elseBlock()->end(),
                                             elseBlock.getOperations());
  return Values(branch.getResults());
}
