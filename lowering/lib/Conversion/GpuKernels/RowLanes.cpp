//===- RowLanes.cpp - threads that share a row ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "OwnKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace nax;

namespace {

/// Threads of a block that has one row, and the row from which on it has.
constexpr int64_t kBlockLanes = 256, kLongRow = 2048;
/// Room for any number in shared memory.
constexpr int64_t kSlotBytes = 8;

/// Of 32 or 64 bits.
Value shuffle(GpuBuilder &b, Value x, int64_t mask) {
  if (x.getType().getIntOrFloatBitWidth() == 32)
    return b.shuffleXor(x, mask);
  auto halves = VectorType::get(2, b.getI32Type());
  Values parts = b.unpack(LLVM::BitcastOp::create(b, halves, x));
  for (Value &part : parts)
    part = b.shuffleXor(part, mask);
  return LLVM::BitcastOp::create(b, x.getType(), b.pack(parts));
}

} // namespace

RowLanes RowLanes::of(int64_t elements) {
  bool isLong = ShapedType::isDynamic(elements) || elements >= kLongRow;
  return {isLong ? kBlockLanes : kWarp};
}

int64_t RowLanes::sharedBytes(int64_t numbers) const {
  return lanes == kWarp ? 0 : numbers * lanes / kWarp * kSlotBytes;
}

Value RowLanes::row(GpuBuilder &b) const {
  Value block = b.toI64(b.blockId(gpu::Dimension::x));
  if (lanes > kWarp)
    return block;
  return b.add(b.mul(block, rowsOfBlock()), b.toI64(b.warp()));
}

Value RowLanes::lane(GpuBuilder &b) const {
  return lanes == kWarp ? b.lane() : b.threadId();
}

void RowLanes::forRow(GpuBuilder &b, Value count,
                      llvm::function_ref<void(Value)> body) const {
  Value here = row(b);
  // A grid has as many blocks as rows, so nobody leaves out a barrier.
  if (lanes > kWarp)
    return body(here);
  b.when(b.less(here, count), [&] { body(here); });
}

Values RowLanes::combine(
    GpuBuilder &b, Values numbers,
    llvm::function_ref<Values(ValueRange, ValueRange)> both) const {
  auto exchange = [&](int64_t width) {
    for (int64_t mask = 1; mask < width; mask *= 2) {
      Values others;
      for (Value number : numbers)
        others.push_back(shuffle(b, number, mask));
      numbers = both(numbers, others);
    }
  };
  exchange(kWarp);
  if (lanes == kWarp)
    return numbers;

  int64_t warps = lanes / kWarp;
  Value memory = b.shared();
  auto slot = [&](int64_t number, Value warp) {
    Value at = b.add(b.mul(warp, kSlotBytes), number * warps * kSlotBytes);
    return b.atByte(memory, at);
  };
  b.barrier(); // what was there before is read
  b.when(b.compare(GpuBuilder::Predicate::eq, b.lane(), b.i32(0)), [&] {
    for (auto [i, number] : llvm::enumerate(numbers))
      b.store(number, slot(i, b.warp()));
  });
  b.barrier();
  Value mine = b.bitAnd(b.threadId(), warps - 1);
  for (auto [i, number] : llvm::enumerate(numbers))
    number = b.load(slot(i, mine), number.getType());
  exchange(warps);
  return numbers;
}
