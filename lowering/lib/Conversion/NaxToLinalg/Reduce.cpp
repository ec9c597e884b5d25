//===- Reduce.cpp - sums, means, maxima and choices -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;

namespace nax {

Value FunctionLowering::isReal(const Body &body, AxisAttr axis, Value data,
                               bool needsNext) {
  OpBuilder &nb = body.b;
  Location l = body.loc;
  AxisAttr base = axis.getBase();
  Value t = body.index(axis);
  auto less = [&](Value p, Value q) -> Value {
    return arith::CmpIOp::create(nb, l, arith::CmpIPredicate::slt, p, q);
  };
  Value reach = t;
  if (needsNext)
    reach = arith::AddIOp::create(nb, l, t, indexConstant(nb, l, 1));
  Value inside;
  if (needsNext)
    inside = less(reach, sizeValue(base));
  if (!data || base.getData() == AxisData::all)
    return inside;
  Buffer rows = buffer(data);
  auto load = [&](Value position) -> Value {
    SmallVector<Value> at;
    for (AxisAttr a : rows.order)
      at.push_back(a == base ? position : body.index(a));
    return memref::LoadOp::create(nb, l, rows.memref, at);
  };
  auto both = [&](Value more) -> Value {
    if (!inside)
      return more;
    return arith::AndIOp::create(nb, l, inside, more);
  };
  switch (base.getData()) {
  case AxisData::all:
  case AxisData::continued:
    return inside;
  case AxisData::ragged:
    return both(less(reach, arith::IndexCastOp::create(nb, l, nb.getIndexType(),
                                                       load(Value()))));
  case AxisData::left_padded: {
    Value start =
        arith::IndexCastOp::create(nb, l, nb.getIndexType(), load(Value()));
    return both(
        arith::CmpIOp::create(nb, l, arith::CmpIPredicate::sge, t, start));
  }
  case AxisData::packed: {
    if (!needsNext)
      return inside;
    // The next position must belong to the same document; past the end the
    // load stays on the last one, and `inside` says no.
    Value safe = arith::SelectOp::create(nb, l, inside, reach, t);
    return both(arith::CmpIOp::create(nb, l, arith::CmpIPredicate::eq, load(t),
                                      load(safe)));
  }
  }
  llvm_unreachable("all kinds of axis data are handled");
}

/// sum, mean and max. Positions that are not there do not count; the mean and
/// the maximum of nothing are 0.
void FunctionLowering::lowerReduction(Operation *op) {
  auto sumOp = dyn_cast<SumOp>(op);
  auto meanOp = dyn_cast<MeanOp>(op);
  auto maxOp = dyn_cast<MaxOp>(op);
  AxesRef over = sumOp    ? sumOp.getOver()
                 : meanOp ? meanOp.getOver()
                          : maxOp.getOver();
  Value data = op->getNumOperands() > 1 ? op->getOperand(1) : Value();
  Buffer x = buffer(op->getOperand(0));
  if (data)
    buffer(data);
  auto type = cast<TensorType>(op->getOperand(0).getType());
  bool losses = type.getKind() && type.getKind().getIs() == Is::losses;
  AxisAttr sequence; // the summed axis whose positions may be missing
  for (AxisAttr axis : over)
    if ((losses && axis == type.getKind().getA()) ||
        (data && axis.getBase().getData() != AxisData::all))
      sequence = axis;

  Axes kept = without(x.order, over);
  Type element = elementOf(x);
  bool isFloat = isa<FloatType>(element);
  Type wide =
      element.isF16() || element.isBF16() ? Type(b.getF32Type()) : element;
  Buffer out = allocResult(op->getResult(0), kept);
  Buffer total = elementOf(out) == wide ? out : alloc(kept, wide);
  fill(total, maxOp ? -std::numeric_limits<double>::infinity() : 0);
  generic(kept, over, {x}, {total}, [&](const Body &body) {
    OpBuilder &nb = body.b;
    Location l = body.loc;
    Value v = widen(nb, l, body.args[0]), acc = body.args[1];
    Value next;
    if (maxOp)
      next = arith::MaximumFOp::create(nb, l, acc, v);
    else if (isFloat)
      next = arith::AddFOp::create(nb, l, acc, v);
    else
      next = arith::AddIOp::create(nb, l, acc, v);
    if (sequence)
      if (Value real = isReal(body, sequence, data, losses))
        next = arith::SelectOp::create(nb, l, real, next, acc);
    return SmallVector<Value>{next};
  });

  if (meanOp || maxOp) {
    Buffer count = alloc(kept, wide);
    fill(count, 0);
    if (sequence) {
      generic(kept, over, {x}, {count}, [&](const Body &body) {
        OpBuilder &nb = body.b;
        Location l = body.loc;
        Value one = floatConstant(nb, l, wide, 1);
        Value more = arith::AddFOp::create(nb, l, body.args[1], one);
        if (Value real = isReal(body, sequence, data, losses))
          more = arith::SelectOp::create(nb, l, real, more, body.args[1]);
        return SmallVector<Value>{more};
      });
    } else {
      Value n = constant(1);
      for (AxisAttr axis : over)
        n = arith::MulIOp::create(b, loc, n, sizeValue(axis));
      n = arith::IndexCastOp::create(b, loc, b.getI64Type(), n);
      n = arith::SIToFPOp::create(b, loc, wide, n);
      linalg::FillOp::create(b, loc, ValueRange{n}, ValueRange{count.memref});
    }
    generic(kept, {}, {count}, {total}, [&](const Body &body) {
      OpBuilder &nb = body.b;
      Location l = body.loc;
      Value zero = floatConstant(nb, l, wide, 0);
      Value some = arith::CmpFOp::create(nb, l, arith::CmpFPredicate::OGT,
                                         body.args[0], zero);
      Value reduced = body.args[1];
      if (meanOp)
        reduced = arith::DivFOp::create(nb, l, reduced, body.args[0]);
      return SmallVector<Value>{
          arith::SelectOp::create(nb, l, some, reduced, zero)};
    });
  }
  copy(total, out);
  set(op->getResult(0), out);
}

void FunctionLowering::lowerArgMax(ArgmaxOp op) {
  Buffer x = buffer(op.getX());
  Axes kept = without(x.order, op.getOver());
  Type wide = elementOf(x).isF64() ? elementOf(x) : Type(b.getF32Type());
  Buffer best = alloc(kept, wide);
  Buffer out = allocResult(op.getResult(), kept);
  fill(best, -std::numeric_limits<double>::infinity());
  fill(out, 0);
  generic(kept, op.getOver(), {x}, {best, out}, [&](const Body &body) {
    OpBuilder &nb = body.b;
    Location l = body.loc;
    Value v = widen(nb, l, body.args[0]);
    Value at = arith::IndexCastOp::create(nb, l, elementOf(out),
                                          body.index(op.getOver()));
    Value more = arith::CmpFOp::create(nb, l, arith::CmpFPredicate::OGT, v,
                                       body.args[1]);
    return SmallVector<Value>{
        arith::SelectOp::create(nb, l, more, v, body.args[1]),
        arith::SelectOp::create(nb, l, more, at, body.args[2])};
  });
  set(op.getResult(), out);
}

/// The k largest, best first; of equal ones the first; a NaN counts as -inf, so
/// that there are always k different ones. One scan per choice:
/// the next choice is the largest that comes after the last one.
void FunctionLowering::lowerTopK(TopKOp op) {
  Buffer x = buffer(op.getX());
  AxisAttr over = op.getOver(), k = op.getK();
  Axes kept = without(x.order, over);
  Type wide = elementOf(x).isF64() ? elementOf(x) : Type(b.getF32Type());
  Axes order = kept;
  order.push_back(k);
  Buffer out = allocResult(op.getResult(), order);
  // The value and the index of the last choice.
  Buffer last = alloc(kept, wide), lastAt = alloc(kept, b.getI64Type());
  fill(last, std::numeric_limits<double>::infinity());
  fill(lastAt, -1);
  Buffer best = alloc(kept, wide), bestAt = alloc(kept, b.getI64Type());
  auto loop =
      scf::ForOp::create(b, loc, constant(0), sizeValue(k), constant(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  fill(best, -std::numeric_limits<double>::infinity());
  fill(bestAt, -1);
  generic(kept, over, {x, last, lastAt}, {best, bestAt}, [&](const Body &body) {
    OpBuilder &nb = body.b;
    Location l = body.loc;
    Value v = widen(nb, l, body.args[0]);
    Value at =
        arith::IndexCastOp::create(nb, l, nb.getI64Type(), body.index(over));
    auto compare = [&](arith::CmpFPredicate p, Value a, Value c) -> Value {
      return arith::CmpFOp::create(nb, l, p, a, c);
    };
    Value least =
        floatConstant(nb, l, wide, -std::numeric_limits<double>::infinity());
    v = arith::SelectOp::create(nb, l, compare(arith::CmpFPredicate::UNO, v, v),
                                least, v);
    Value lower = compare(arith::CmpFPredicate::OLT, v, body.args[1]);
    Value equal = compare(arith::CmpFPredicate::OEQ, v, body.args[1]);
    Value later = arith::CmpIOp::create(nb, l, arith::CmpIPredicate::sgt, at,
                                        body.args[2]);
    Value after = arith::OrIOp::create(
        nb, l, lower, arith::AndIOp::create(nb, l, equal, later).getResult());
    Value none =
        arith::CmpIOp::create(nb, l, arith::CmpIPredicate::slt, body.args[4],
                              arith::ConstantIntOp::create(nb, l, 0, 64));
    Value more = arith::OrIOp::create(
        nb, l, none, compare(arith::CmpFPredicate::OGT, v, body.args[3]));
    Value take = arith::AndIOp::create(nb, l, after, more);
    return SmallVector<Value>{
        arith::SelectOp::create(nb, l, take, v, body.args[3]),
        arith::SelectOp::create(nb, l, take, at, body.args[4])};
  });
  Value iv = loop.getInductionVar();
  generic(kept, {}, {best, bestAt}, {last, lastAt}, [&](const Body &body) {
    OpBuilder &nb = body.b;
    Location l = body.loc;
    SmallVector<Value> at;
    for (AxisAttr axis : order)
      at.push_back(axis == k ? iv : body.index(axis));
    // An axis that a call makes shorter than k has no further one.
    Value place = arith::MaxSIOp::create(
        nb, l, body.args[1], arith::ConstantIntOp::create(nb, l, 0, 64));
    memref::StoreOp::create(nb, l, convertTo(nb, l, place, elementOf(out)),
                            out.memref, at);
    return SmallVector<Value>{body.args[0], body.args[1]};
  });
  set(op.getResult(), out);
}

} // namespace nax
