//===- PlanMemory.cpp - every buffer has its place in the workspace -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Functions are straight-line code: a buffer lives from its allocation to the
// last operation that reaches it through views. Buffers are taken in order;
// each takes a place that is free again, one of its own size if there is one.
// Sizes are expressions of the function's arguments, so the plan is made once
// and evaluated at each call.
//
//===----------------------------------------------------------------------===//

#include "nax/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace nax {
#define GEN_PASS_DEF_PLANMEMORY
#include "nax/Conversion/Passes.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

constexpr int64_t kAlignment = 64;

/// A stretch of the workspace and the buffers that take turns in it.
struct Place {
  SmallVector<memref::AllocOp> buffers;
  size_t freeAfter; ///< number of the last operation that uses it
};

/// The last operation of `block` that reaches `value`, through views too.
Operation *lastUse(Value value, Block *block) {
  Operation *last = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *here = block->findAncestorOpInBlock(*user);
    auto later = [&](Operation *op) {
      if (op && (!last || last->isBeforeInBlock(op)))
        last = op;
    };
    later(here);
    if (isa<ViewLikeOpInterface>(user))
      for (Value view : user->getResults())
        later(lastUse(view, block));
  }
  return last;
}

/// Copies what computes `value` to where `b` stands. Sizes come from the
/// function's arguments by arithmetic and by calls of other size functions.
Value materialise(OpBuilder &b, Value value, IRMapping &map) {
  if (Value done = map.lookupOrNull(value))
    return done;
  Operation *op = value.getDefiningOp();
  assert(op && "arguments are mapped");
  for (Value operand : op->getOperands())
    materialise(b, operand, map);
  b.clone(*op, map);
  return map.lookup(value);
}

/// bytes * size, but no more than what no memory has, so that a sum of such is
/// never a small number. A call whose buffers are all empty may have any sizes.
Value timesWithin(OpBuilder &b, Location loc, Value bytes, Value size) {
  Value most = arith::ConstantIndexOp::create(b, loc, int64_t(1) << 47);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  auto product = arith::MulUIExtendedOp::create(b, loc, bytes, size);
  Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                     product.getHigh(), zero);
  Value low = arith::MinUIOp::create(b, loc, product.getLow(), most);
  return arith::SelectOp::create(b, loc, fits, low, most);
}

/// Bytes of a buffer, rounded up to the alignment. They are `checked` where the
/// sizes are not known to be such as memory can have.
Value bytesOf(OpBuilder &b, memref::AllocOp alloc, IRMapping &map,
              bool checked) {
  Location loc = alloc.getLoc();
  MemRefType type = alloc.getType();
  int64_t fixed = type.getElementTypeBitWidth() / 8;
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      fixed *= extent;
  auto constant = [&](int64_t v) -> Value {
    return arith::ConstantIndexOp::create(b, loc, v);
  };
  Value bytes = constant(fixed);
  for (Value dynamic : alloc.getDynamicSizes()) {
    Value size = materialise(b, dynamic, map);
    bytes = checked ? timesWithin(b, loc, bytes, size)
                    : arith::MulIOp::create(b, loc, bytes, size).getResult();
  }
  bytes = arith::AddIOp::create(b, loc, bytes, constant(kAlignment - 1));
  return arith::AndIOp::create(b, loc, bytes, constant(-kAlignment));
}

bool sameSize(memref::AllocOp x, memref::AllocOp y) {
  return x.getType() == y.getType() &&
         x.getDynamicSizes() == y.getDynamicSizes();
}

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
    SmallVector<Place> places = choosePlaces(block);

    // The size of the workspace, as a function of the sizes alone.
    OpBuilder b(func.getContext());
    b.setInsertionPointToStart(sizeFunction.addEntryBlock());
    IRMapping map;
    size_t first = firstSize(func);
    for (BlockArgument arg : sizeFunction.getArguments())
      map.map(func.getArgument(first + arg.getArgNumber()), arg);
    SmallVector<Value> offsets = layOut(b, func.getLoc(), places, map,
                                        /*checked=*/true);
    func::ReturnOp::create(b, func.getLoc(), offsets.back());

    b.setInsertionPointToStart(block);
    IRMapping inside;
    for (BlockArgument arg : func.getArguments())
      inside.map(arg, arg);
    offsets = layOut(b, func.getLoc(), places, inside, /*checked=*/false);
    Value workspace = func.getArguments().back();
    for (auto [place, offset] : llvm::zip(places, offsets)) {
      for (memref::AllocOp alloc : place.buffers) {
        b.setInsertionPoint(alloc);
        Value view =
            memref::ViewOp::create(b, alloc.getLoc(), alloc.getType(),
                                   workspace, offset, alloc.getDynamicSizes());
        alloc.replaceAllUsesWith(view);
        alloc.erase();
      }
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

  static SmallVector<Place> choosePlaces(Block *block) {
    DenseMap<Operation *, size_t> number;
    for (auto [i, op] : llvm::enumerate(*block))
      number[&op] = i;
    SmallVector<Place> places;
    for (memref::AllocOp alloc : block->getOps<memref::AllocOp>()) {
      Operation *last = lastUse(alloc, block);
      size_t begin = number[alloc], end = last ? number[last] : begin;
      Place *chosen = nullptr;
      for (Place &place : places) {
        if (place.freeAfter >= begin)
          continue;
        bool fits = sameSize(place.buffers.front(), alloc);
        if (!chosen || fits)
          chosen = &place;
        if (fits)
          break;
      }
      if (!chosen) {
        places.emplace_back();
        chosen = &places.back();
      }
      chosen->buffers.push_back(alloc);
      chosen->freeAfter = end;
    }
    return places;
  }

  /// The offset of each place, then the end of the last.
  static SmallVector<Value> layOut(OpBuilder &b, Location loc,
                                   ArrayRef<Place> places, IRMapping &map,
                                   bool checked) {
    Value at = arith::ConstantIndexOp::create(b, loc, 0);
    SmallVector<Value> offsets{at};
    for (const Place &place : places) {
      Value largest;
      for (memref::AllocOp alloc : place.buffers) {
        Value bytes = bytesOf(b, alloc, map, checked);
        largest =
            largest ? arith::MaxUIOp::create(b, loc, largest, bytes).getResult()
                    : bytes;
      }
      at = arith::AddIOp::create(b, loc, at, largest);
      offsets.push_back(at);
    }
    return offsets;
  }
};

} // namespace
