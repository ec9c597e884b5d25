//===- Decode.cpp - new positions after cached ones -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// What a nax.cached gives is in no buffer: attention takes the cache and the
// new positions as they are, and when nobody reads them any more the new ones
// are written to their slots.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace nax {

AxisAttr slotsOf(CachedOp op) {
  size_t rows = op.getSpan().getType().getAxes().size() - 1;
  return op.getCache().getType().getAxes()[rows];
}

std::pair<Value, Value>
FunctionLowering::loadSpan(OpBuilder &nb, Location l, const Buffer &span,
                           llvm::function_ref<Value(AxisAttr)> index) {
  SmallVector<Value> at;
  for (AxisAttr row : ArrayRef(span.order).drop_back())
    at.push_back(index(row));
  auto load = [&](int64_t which) -> Value {
    SmallVector<Value> all(at);
    all.push_back(indexConstant(nb, l, which));
    Value number = memref::LoadOp::create(nb, l, span.memref, all);
    return arith::IndexCastOp::create(nb, l, nb.getIndexType(), number);
  };
  Value start = load(0);
  return {start, load(1)};
}

void FunctionLowering::forEach(
    AxesRef axes, llvm::function_ref<void(ArrayRef<Value>)> body) {
  OpBuilder::InsertionGuard guard(b);
  if (state.onGpu()) {
    SmallVector<Value> ends;
    for (AxisAttr axis : axes)
      ends.push_back(sizeValue(axis));
    if (ends.empty())
      ends.push_back(constant(1));
    SmallVector<Value> begins(ends.size(), constant(0)),
        steps(ends.size(), constant(1));
    auto loops = scf::ParallelOp::create(b, loc, begins, ends, steps);
    b.setInsertionPointToStart(loops.getBody());
    SmallVector<Value> at(loops.getInductionVars());
    return body(ArrayRef(at).take_front(axes.size()));
  }
  SmallVector<Value> at;
  for (AxisAttr axis : axes) {
    auto loop =
        scf::ForOp::create(b, loc, constant(0), sizeValue(axis), constant(1));
    b.setInsertionPointToStart(loop.getBody());
    at.push_back(loop.getInductionVar());
  }
  body(at);
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

void FunctionLowering::lowerPositions(PositionsOp op) {
  Buffer span = buffer(op.getSpan());
  AxisAttr t = op.getAxis();
  Axes order(ArrayRef(span.order).drop_back());
  order.push_back(t);
  Buffer out = allocResult(op.getResult(), order);
  set(op.getResult(), out);
  if (Value documents = op.getCached())
    return countDocuments(caches.find(documents)->second, out);
  generic(order, {}, {}, {out}, [&](const Body &body) {
    Value start = loadSpan(body.b, body.loc, span, body.index).first;
    Value position =
        arith::AddIOp::create(body.b, body.loc, start, body.index(t));
    return SmallVector<Value>{arith::IndexCastOp::create(
        body.b, body.loc, body.b.getI32Type(), position)};
  });
}

/// out[row, t] = how many positions before t are of its document. A document's
/// positions follow each other: one more than at t - 1, or none; the first new
/// position looks back into the cache.
void FunctionLowering::countDocuments(const Cached &documents,
                                      const Buffer &out) {
  Axes rows(ArrayRef(out.order).drop_back());
  Type i32 = b.getI32Type();
  forEach(rows, [&](ArrayRef<Value> row) {
    auto index = [&](AxisAttr axis) {
      return row[llvm::find(rows, axis) - rows.begin()];
    };
    Value start = loadSpan(b, loc, documents.span, index).first;
    Value none = arith::ConstantIntOp::create(b, loc, 0, 32);
    Value one = arith::ConstantIntOp::create(b, loc, 1, 32);
    auto at = [&](const Buffer &of, Value place) {
      SmallVector<Value> all;
      for (AxisAttr axis : of.order)
        all.push_back(llvm::is_contained(rows, axis) ? index(axis) : place);
      return all;
    };
    auto same = [&](Value x, Value y) -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
    };
    auto loop = scf::ForOp::create(b, loc, constant(0),
                                   sizeValue(documents.now), constant(1),
                                   ValueRange{none, none});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value t = loop.getInductionVar();
    Value before = loop.getRegionIterArgs()[0];
    Value position = loop.getRegionIterArgs()[1];
    Value document = memref::LoadOp::create(b, loc, documents.fresh.memref,
                                            at(documents.fresh, t));
    auto branch = scf::IfOp::create(b, loc, TypeRange{i32},
                                    same(t, constant(0)), /*withElse=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    Value found = countBack(document, start, sizeValue(documents.slots),
                            [&](Value slot) -> Value {
                              return memref::LoadOp::create(
                                  b, loc, documents.cache.memref,
                                  at(documents.cache, slot));
                            });
    found = arith::IndexCastOp::create(b, loc, i32, found);
    scf::YieldOp::create(b, loc, found);
    b.setInsertionPointToStart(branch.elseBlock());
    Value next = arith::AddIOp::create(b, loc, position, one);
    next = arith::SelectOp::create(b, loc, same(document, before), next, none);
    scf::YieldOp::create(b, loc, next);
    b.setInsertionPointAfter(branch);
    memref::StoreOp::create(b, loc, branch.getResult(0), out.memref,
                            at(out, t));
    scf::YieldOp::create(b, loc, ValueRange{document, branch.getResult(0)});
  });
}

/// How many of the last of `start` cached positions are of `document`.
Value FunctionLowering::countBack(Value document, Value start, Value slots,
                                  llvm::function_ref<Value(Value)> loadSlot) {
  auto loop = scf::WhileOp::create(b, loc, TypeRange{b.getIndexType()},
                                   ValueRange{constant(0)});
  OpBuilder::InsertionGuard guard(b);
  Block *test = b.createBlock(&loop.getBefore(), {}, b.getIndexType(), loc);
  Value count = test->getArgument(0);
  Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, count,
                                     start);
  auto branch = scf::IfOp::create(b, loc, TypeRange{b.getI1Type()}, more,
                                  /*withElse=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  Value position = arith::SubIOp::create(b, loc, start, count);
  position = arith::SubIOp::create(b, loc, position, constant(1));
  Value slot = arith::RemUIOp::create(b, loc, position, slots);
  Value same = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                     loadSlot(slot), document);
  scf::YieldOp::create(b, loc, same);
  b.setInsertionPointToStart(branch.elseBlock());
  Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
  scf::YieldOp::create(b, loc, no);
  b.setInsertionPointToEnd(test);
  scf::ConditionOp::create(b, loc, branch.getResult(0), count);
  Block *step = b.createBlock(&loop.getAfter(), {}, b.getIndexType(), loc);
  Value next =
      arith::AddIOp::create(b, loc, step->getArgument(0), constant(1));
  scf::YieldOp::create(b, loc, next);
  return loop.getResult(0);
}

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

/// The last operation of its block that reads `value`, itself or as a mask.
static Operation *lastReader(Value value, Operation *otherwise) {
  Operation *last = otherwise;
  for (Operation *user : value.getUsers()) {
    Operation *reader = user;
    for (Value result : user->getResults())
      if (cast<nax::TensorType>(result.getType()).is(Is::mask))
        reader = lastReader(result, reader);
    if (last->isBeforeInBlock(reader))
      last = reader;
  }
  return last;
}

void FunctionLowering::lowerCached(CachedOp op) {
  Cached cached;
  cached.now = op.getAxis();
  cached.slots = slotsOf(op);
  cached.cache = buffer(op.getCache());
  cached.span = buffer(op.getSpan());
  Axes order = cached.cache.order;
  llvm::replace(order, cached.slots, cached.now);
  Buffer fresh = buffer(op.getX());
  if (isa<FloatType>(elementOf(fresh)))
    fresh = as(elementOf(cached.cache), fresh);
  cached.fresh = permuted(fresh, order);
  caches[op.getResult()] = cached;
  appends[lastReader(op.getResult(), op)].push_back(op.getResult());
}

void FunctionLowering::appendAfter(Operation *op) {
  auto here = appends.find(op);
  if (here == appends.end())
    return;
  // On a GPU keys and values of one size take their slots in one loop.
  SmallVector<SmallVector<Cached>> groups;
  for (Value value : here->second) {
    const Cached &cached = caches.find(value)->second;
    auto *group = llvm::find_if(groups, [&](ArrayRef<Cached> others) {
      const Cached &first = others.front();
      return first.fresh.order == cached.fresh.order &&
             first.slots == cached.slots &&
             first.span.memref == cached.span.memref;
    });
    if (!state.onGpu())
      append(cached);
    else if (group != groups.end())
      group->push_back(cached);
    else
      groups.push_back({cached});
  }
  for (ArrayRef<Cached> group : groups)
    appendOnGpu(group);
}

/// cache[row, (start + t) mod slots] = fresh[row, t] for each new position t; of
/// those that fall on one slot, the last.
void FunctionLowering::append(const Cached &cached) {
  Axes rows(ArrayRef(cached.span.order).drop_back());
  size_t numRows = rows.size(), rank = cached.cache.order.size();
  // What a position has lies together; seen as one dimension.
  auto flat = [&](const Buffer &buffer) {
    SmallVector<ReassociationIndices> groups;
    for (size_t i = 0; i < rank; ++i) {
      if (i <= numRows + 1)
        groups.emplace_back();
      groups.back().push_back(i);
    }
    return collapse(buffer, groups);
  };
  Value from = flat(cached.fresh), to = flat(cached.cache);
  Value slots = sizeValue(cached.slots), zero = constant(0), one = constant(1);
  Value width = one;
  for (AxisAttr axis : ArrayRef(cached.cache.order).drop_front(numRows + 1))
    width = arith::MulIOp::create(b, loc, width, sizeValue(axis));
  forEach(rows, [&](ArrayRef<Value> row) {
    auto [start, end] = loadSpan(b, loc, cached.span, [&](AxisAttr axis) {
      return row[llvm::find(rows, axis) - rows.begin()];
    });
    Value count = arith::SubIOp::create(b, loc, end, start);
    Value first = arith::MaxSIOp::create(
        b, loc, arith::SubIOp::create(b, loc, count, slots), zero);
    auto loop = scf::ForOp::create(b, loc, first, count, one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value t = loop.getInductionVar();
    Value slot = arith::RemUIOp::create(
        b, loc, arith::AddIOp::create(b, loc, start, t), slots);
    SmallVector<Value> source(row), target(row);
    source.push_back(t);
    target.push_back(slot);
    if (rank > numRows + 1) {
      auto inner = scf::ForOp::create(b, loc, zero, width, one);
      b.setInsertionPointToStart(inner.getBody());
      source.push_back(inner.getInductionVar());
      target.push_back(inner.getInductionVar());
    }
    Value number = memref::LoadOp::create(b, loc, from, source);
    memref::StoreOp::create(b, loc, number, to, target);
  });
}

/// The same, each number by itself, for caches whose new positions are of one
/// size.
void FunctionLowering::appendOnGpu(ArrayRef<Cached> all) {
  const Cached &cached = all.front();
  const Axes &order = cached.fresh.order;
  Value slots = sizeValue(cached.slots);
  forEach(order, [&](ArrayRef<Value> at) {
    auto index = [&](AxisAttr axis) {
      return at[llvm::find(order, axis) - order.begin()];
    };
    auto [start, end] = loadSpan(b, loc, cached.span, index);
    Value t = index(cached.now);
    auto less = [&](Value x, Value y) -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, y);
    };
    Value count = arith::SubIOp::create(b, loc, end, start);
    // A later position falls on its slot.
    Value next = arith::AddIOp::create(b, loc, t, slots);
    Value stays = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, next,
                                        count);
    auto branch = scf::IfOp::create(
        b, loc, arith::AndIOp::create(b, loc, less(t, count), stays));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value slot = arith::RemUIOp::create(
        b, loc, arith::AddIOp::create(b, loc, start, t), slots);
    SmallVector<Value> target(at);
    target[llvm::find(order, cached.now) - order.begin()] = slot;
    for (const Cached &one : all) {
      Value number = memref::LoadOp::create(b, loc, one.fresh.memref, at);
      memref::StoreOp::create(b, loc, number, one.cache.memref, target);
    }
  });
}

} // namespace nax
