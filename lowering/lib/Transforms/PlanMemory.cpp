//===- PlanMemory.cpp - every buffer has its place in the workspace -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Two buffers that are needed at the same time lie one above the other. Who is
// above whom is chosen for likely sizes: the largest buffers first, each in the
// smallest gap that it fits into. The offset of a buffer is then, for any
// sizes, the end of the highest of those below it: an expression of the
// function's arguments, made once and evaluated at each call.
//
//===----------------------------------------------------------------------===//

#include "Lifetimes.h"

#include "nax/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace nax {
#define GEN_PASS_DEF_PLANMEMORY
#include "nax/Conversion/Passes.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

constexpr uint64_t kAlignment = 64;

//===----------------------------------------------------------------------===//
// Who lies above whom
//===----------------------------------------------------------------------===//

/// What a size that is known only when called is taken for: an argument, or
/// what another function says it needs.
constexpr uint64_t kLikelySize = 256, kLikelyBytes = 1 << 22;
constexpr uint64_t kMostBytes = uint64_t(1) << 48;

struct Buffer {
  memref::AllocOp alloc;
  size_t begin, end; ///< numbers of the first and last operation that need it
  uint64_t size;     ///< in bytes, for likely sizes
  uint64_t at = 0;   ///< likewise

  bool meets(const Buffer &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

uint64_t likelyBytes(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  uint64_t bytes = type.getElementTypeBitWidth() / 8;
  auto times = [&](uint64_t n) {
    bytes = std::min(llvm::SaturatingMultiply(bytes, n), kMostBytes);
  };
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      times(extent);
  for (Value size : alloc.getDynamicSizes())
    times(size.getDefiningOp<func::CallOp>() ? kLikelyBytes : kLikelySize);
  return llvm::alignTo(std::max(bytes, kAlignment), kAlignment);
}

/// Where `size` bytes fit best between the buffers that are `placed`, which are
/// sorted by offset; else above them.
uint64_t bestGap(ArrayRef<Buffer> placed, uint64_t size) {
  uint64_t top = 0, best = 0, smallest = UINT64_MAX;
  for (const Buffer &buffer : placed) {
    if (buffer.at >= top + size && buffer.at - top < smallest) {
      smallest = buffer.at - top;
      best = top;
    }
    top = std::max(top, buffer.at + buffer.size);
  }
  return smallest == UINT64_MAX ? top : best;
}

/// The buffers of a function, placed for likely sizes, the lowest first.
SmallVector<Buffer> placedBuffers(Block *block) {
  Steps steps(block);
  SmallVector<Buffer> waiting;
  for (memref::AllocOp alloc : block->getOps<memref::AllocOp>()) {
    auto [begin, end] = steps.lifeOf(alloc);
    waiting.push_back({alloc, begin, end, likelyBytes(alloc)});
  }
  // Equal ones in the order of the function.
  llvm::sort(waiting, [](const Buffer &x, const Buffer &y) {
    if (x.size != y.size)
      return x.size > y.size;
    return x.alloc->isBeforeInBlock(y.alloc);
  });
  SmallVector<Buffer> placed;
  for (Buffer &buffer : waiting) {
    SmallVector<Buffer> others;
    llvm::copy_if(placed, std::back_inserter(others),
                  [&](const Buffer &other) { return other.meets(buffer); });
    buffer.at = bestGap(others, buffer.size);
    placed.insert(llvm::upper_bound(placed, buffer,
                                    [](const Buffer &x, const Buffer &y) {
                                      return x.at < y.at;
                                    }),
                  buffer);
  }
  return placed;
}

/// Of the buffers below `placed[i]` that are needed at the same time, those
/// that no other one of them lies above.
SmallVector<size_t> rightBelow(ArrayRef<Buffer> placed, size_t i) {
  SmallVector<size_t> highest;
  for (size_t j = i; j-- > 0;)
    if (placed[j].meets(placed[i]) && llvm::none_of(highest, [&](size_t above) {
          return placed[above].meets(placed[j]);
        }))
      highest.push_back(j);
  return highest;
}

//===----------------------------------------------------------------------===//
// Offsets for any sizes
//===----------------------------------------------------------------------===//

/// Computes sizes and offsets where a builder stands.
class Layout {
public:
  /// `map` knows the sizes' arguments. Sizes are `checked` where they are not
  /// known to be such as memory can have.
  Layout(OpBuilder &b, Location loc, IRMapping &map, bool checked)
      : b(b), loc(loc), map(map), checked(checked) {}

  /// The offset of each buffer, then the size of the whole.
  SmallVector<Value> offsets(ArrayRef<Buffer> placed) {
    SmallVector<Value> offsets;
    SmallVector<Value> ends;
    llvm::MapVector<size_t, Value> tops; // of buffers with none above them
    for (size_t i = 0; i < placed.size(); ++i) {
      llvm::SmallSetVector<Value, 8> below;
      for (size_t j : rightBelow(placed, i)) {
        below.insert(ends[j]);
        tops.erase(j);
      }
      offsets.push_back(highest(below.getArrayRef()));
      Value end = plus(offsets.back(), bytesOf(placed[i].alloc));
      ends.push_back(end);
      tops.insert({i, end});
    }
    llvm::SmallSetVector<Value, 8> last;
    for (auto &[i, end] : tops)
      last.insert(end);
    offsets.push_back(highest(last.getArrayRef()));
    return offsets;
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  Value highest(ArrayRef<Value> values) {
    if (values.empty())
      return zero ? zero : zero = constant(0);
    Value most = values.front();
    for (Value value : values.drop_front())
      most = arith::MaxUIOp::create(b, loc, most, value);
    return most;
  }

  /// One value for equal sums, so that equal offsets are seen to be equal.
  Value plus(Value x, Value y) {
    if (x == zero)
      return y;
    Value &sum = sums[{x, y}];
    return sum ? sum : sum = arith::AddIOp::create(b, loc, x, y);
  }

  /// Copies what computes `value`. Sizes come from the function's arguments by
  /// arithmetic and by calls of other size functions.
  Value materialise(Value value) {
    if (Value done = map.lookupOrNull(value))
      return done;
    Operation *op = value.getDefiningOp();
    assert(op && "arguments are mapped");
    for (Value operand : op->getOperands())
      materialise(operand);
    b.clone(*op, map);
    return map.lookup(value);
  }

  /// bytes * size, but no more than what no memory has, so that a sum of such
  /// is never a small number. A call whose buffers are all empty may have any
  /// sizes.
  Value timesWithin(Value bytes, Value size) {
    Value most = constant(int64_t(1) << 47);
    auto product = arith::MulUIExtendedOp::create(b, loc, bytes, size);
    Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                       product.getHigh(), constant(0));
    Value low = arith::MinUIOp::create(b, loc, product.getLow(), most);
    return arith::SelectOp::create(b, loc, fits, low, most);
  }

  /// Bytes of a buffer, rounded up to the alignment.
  Value bytesOf(memref::AllocOp alloc) {
    loc = alloc.getLoc();
    MemRefType type = alloc.getType();
    int64_t fixed = type.getElementTypeBitWidth() / 8;
    for (int64_t extent : type.getShape())
      if (!ShapedType::isDynamic(extent))
        fixed *= extent;
    for (auto &[known, sizes, bytes] : known)
      if (known == fixed && alloc.getDynamicSizes() == sizes)
        return bytes;
    Value bytes = constant(fixed);
    for (Value dynamic : alloc.getDynamicSizes()) {
      Value size = materialise(dynamic);
      bytes = checked ? timesWithin(bytes, size)
                      : arith::MulIOp::create(b, loc, bytes, size).getResult();
    }
    bytes = arith::AddIOp::create(b, loc, bytes, constant(kAlignment - 1));
    bytes =
        arith::AndIOp::create(b, loc, bytes, constant(-int64_t(kAlignment)));
    known.push_back({fixed, alloc.getDynamicSizes(), bytes});
    return bytes;
  }

  OpBuilder &b;
  Location loc;
  IRMapping &map;
  bool checked;
  Value zero;
  SmallVector<std::tuple<int64_t, SmallVector<Value>, Value>> known;
  DenseMap<std::pair<Value, Value>, Value> sums;
};

struct PlanMemory final : nax::impl::PlanMemoryBase<PlanMemory> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      StringRef name = func.getName();
      if (!name.consume_back(".body"))
        continue;
      auto size = getOperation().lookupSymbol<func::FuncOp>(
          (name + ".workspace").str());
      if (size)
        plan(func, size);
    }
  }

  void plan(func::FuncOp func, func::FuncOp sizeFunction) {
    Block *block = &func.getBody().front();
    SmallVector<Buffer> placed = placedBuffers(block);

    // The size of the workspace, as a function of the sizes alone.
    OpBuilder b(func.getContext());
    b.setInsertionPointToStart(sizeFunction.addEntryBlock());
    IRMapping map;
    size_t first = firstSize(func);
    for (BlockArgument arg : sizeFunction.getArguments())
      map.map(func.getArgument(first + arg.getArgNumber()), arg);
    SmallVector<Value> offsets =
        Layout(b, func.getLoc(), map, /*checked=*/true).offsets(placed);
    func::ReturnOp::create(b, func.getLoc(), offsets.back());

    b.setInsertionPointToStart(block);
    IRMapping inside;
    for (BlockArgument arg : func.getArguments())
      inside.map(arg, arg);
    offsets =
        Layout(b, func.getLoc(), inside, /*checked=*/false).offsets(placed);
    Value workspace = func.getArguments().back();
    for (auto [buffer, offset] : llvm::zip(placed, offsets)) {
      memref::AllocOp alloc = buffer.alloc;
      b.setInsertionPoint(alloc);
      Value view =
          memref::ViewOp::create(b, alloc.getLoc(), alloc.getType(), workspace,
                                 offset, alloc.getDynamicSizes());
      alloc.replaceAllUsesWith(view);
      alloc.erase();
    }
  }

  /// The sizes follow the context and the parameters.
  static size_t firstSize(func::FuncOp func) {
    size_t at = 0;
    while (!func.getArgumentTypes()[at].isIndex() &&
           at + 1 < func.getNumArguments())
      ++at;
    return at;
  }
};

} // namespace
