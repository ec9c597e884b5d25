//===- Shape.cpp - axes renamed, split, joined and cut --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace nax {

void FunctionLowering::rename(Value from, Value to,
                              llvm::function_ref<AxisAttr(AxisAttr)> name) {
  Buffer view = buffer(from);
  for (AxisAttr &axis : view.order)
    axis = name(axis);
  set(to, view);
}

void FunctionLowering::lowerSplit(SplitOp op) {
  Buffer in = buffer(op.getX());
  size_t at = llvm::find(in.order, op.getAxis()) - in.order.begin();
  set(op.getResult(), expand(in, at, op.getAxis().getParts()));
}

/// A dense copy of part of a concatenated axis: its users may then take the
/// buffer for contiguous.
void FunctionLowering::lowerPart(PartOp op) {
  Buffer in = buffer(op.getX());
  SmallVector<OpFoldResult> offsets, sizes, strides;
  Axes order;
  for (AxisAttr axis : in.order) {
    OpFoldResult offset = b.getIndexAttr(0);
    if (axis == op.getConcat()) {
      for (AxisAttr piece : axis.getParts()) {
        if (piece == op.getPart())
          break;
        AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
        offset = affine::makeComposedFoldedAffineApply(
            b, loc, s0 + s1, {offset, size(piece)});
      }
      axis = op.getPart();
    }
    offsets.push_back(offset);
    sizes.push_back(size(axis));
    strides.push_back(b.getIndexAttr(1));
    order.push_back(axis);
  }
  Value view = memref::SubViewOp::create(b, loc, in.memref, offsets, sizes,
                                         strides);
  Buffer out = allocResult(op.getResult(), order);
  copy({view, order}, out);
  set(op.getResult(), out);
}

void FunctionLowering::lowerConcat(ConcatOp op) {
  // The first piece says where the joined axis lies.
  Buffer first = buffer(op.getXs().front());
  AxesRef pieces = op.getAxis().getParts();
  Axes order;
  for (AxisAttr axis : first.order)
    order.push_back(llvm::is_contained(pieces, axis) ? op.getAxis() : axis);
  Buffer out = allocResult(op.getResult(), order);
  OpFoldResult offset = b.getIndexAttr(0);
  for (Value x : op.getXs()) {
    Buffer in = buffer(x);
    AxisAttr piece;
    for (AxisAttr axis : in.order)
      if (llvm::is_contained(pieces, axis))
        piece = axis;
    Axes pieceOrder;
    SmallVector<OpFoldResult> offsets, sizes, strides;
    for (AxisAttr axis : order) {
      bool joined = axis == op.getAxis();
      offsets.push_back(joined ? offset : b.getIndexAttr(0));
      sizes.push_back(size(joined ? piece : axis));
      strides.push_back(b.getIndexAttr(1));
      pieceOrder.push_back(joined ? piece : axis);
    }
    Value view = memref::SubViewOp::create(b, loc, out.memref, offsets, sizes,
                                           strides);
    copy(in, {view, pieceOrder});
    AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
    offset = affine::makeComposedFoldedAffineApply(b, loc, s0 + s1,
                                                   {offset, size(piece)});
  }
  set(op.getResult(), out);
}

/// out[.., t] = ids[.., t + 1]; the last position has no next and holds 0.
void FunctionLowering::lowerNext(NextOp op) {
  Buffer in = buffer(op.getIds());
  Axes order;
  AxisAttr next;
  for (auto [axis, named] :
       llvm::zip(op.getIds().getType().getAxes(), op.getType().getAxes()))
    if (axis == op.getAxis())
      next = named;
  for (AxisAttr axis : in.order)
    order.push_back(axis == op.getAxis() ? next : axis);
  Buffer out = allocResult(op.getResult(), order);
  Value extent = sizeValue(op.getAxis());
  generic(order, {}, {}, {out}, [&](const Body &body) {
    OpBuilder &nb = body.b;
    Location l = body.loc;
    Value after = arith::AddIOp::create(nb, l, body.index(next),
                                        indexConstant(nb, l, 1));
    Value real = arith::CmpIOp::create(nb, l, arith::CmpIPredicate::ult, after,
                                       extent);
    Value safe = arith::SelectOp::create(nb, l, real, after,
                                         indexConstant(nb, l, 0));
    SmallVector<Value> at;
    for (AxisAttr axis : in.order)
      at.push_back(axis == op.getAxis() ? safe : body.index(axis));
    Value id = memref::LoadOp::create(nb, l, in.memref, at);
    Value zero =
        arith::ConstantOp::create(nb, l, nb.getIntegerAttr(id.getType(), 0));
    return SmallVector<Value>{
        arith::SelectOp::create(nb, l, real, id, zero)};
  });
  set(op.getResult(), out);
}

/// The first or the last position of each row that is really there; a row
/// without any gives zeros.
void FunctionLowering::lowerEnd(Operation *op, bool last) {
  Value x = op->getOperand(0);
  Value data = op->getNumOperands() > 1 ? op->getOperand(1) : Value();
  auto axis = op->getAttrOfType<AxisAttr>("axis");
  Buffer in = buffer(x);
  Axes order;
  for (AxisAttr a : in.order)
    if (a != axis)
      order.push_back(a);
  Buffer out = allocResult(op->getResult(0), order);
  Value extent = sizeValue(axis);
  std::optional<Buffer> rows;
  if (data)
    rows = buffer(data);
  generic(order, {}, {}, {out}, [&](const Body &body) {
    OpBuilder &nb = body.b;
    Location l = body.loc;
    Value zero = indexConstant(nb, l, 0), one = indexConstant(nb, l, 1);
    auto row = [&]() -> Value {
      SmallVector<Value> at;
      for (AxisAttr a : rows->order)
        at.push_back(body.index(a));
      return arith::IndexCastOp::create(
          nb, l, nb.getIndexType(),
          memref::LoadOp::create(nb, l, rows->memref, at).getResult());
    };
    // Real positions are [begin, end).
    Value begin = zero, end = extent;
    if (rows && axis.getData() == AxisData::ragged)
      end = row();
    if (rows && axis.getData() == AxisData::left_padded)
      begin = row();
    if (rows && axis.isContinued()) {
      auto [from, to] = loadSpan(nb, l, *rows, body.index);
      end = arith::SubIOp::create(nb, l, to, from);
    }
    Value real = arith::CmpIOp::create(nb, l, arith::CmpIPredicate::ult, begin,
                                       end);
    Value t = last ? arith::SubIOp::create(nb, l, end, one).getResult() : begin;
    // linalg.index may not stand inside of the branch.
    SmallVector<Value> at;
    for (AxisAttr a : in.order)
      at.push_back(a == axis ? t : body.index(a));
    // No position at all: nothing may be loaded, not even position 0.
    auto branch = scf::IfOp::create(
        nb, l, real,
        [&](OpBuilder &tb, Location tl) {
          scf::YieldOp::create(
              tb, tl,
              memref::LoadOp::create(tb, tl, in.memref, at).getResult());
        },
        [&](OpBuilder &eb, Location el) {
          Value none = arith::ConstantOp::create(
              eb, el, eb.getZeroAttr(elementOf(in)));
          scf::YieldOp::create(eb, el, none);
        });
    return SmallVector<Value>{
        convertTo(nb, l, branch.getResult(0), elementOf(out))};
  });
  set(op->getResult(0), out);
}

} // namespace nax
