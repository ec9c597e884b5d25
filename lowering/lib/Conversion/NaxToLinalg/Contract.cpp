//===- Contract.cpp - contractions and look-ups ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "nax/Conversion/ExpandKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;

namespace nax {

Value FunctionLowering::paramIn(Value param, const Layout &layout) {
  for (auto &[have, view] : paramViews[param])
    if (have == layout)
      return view;
  auto op = param.getDefiningOp<ParamOp>();
  assert(op && "arguments have a view for each layout that is used");
  TensorType type = op.getType();
  int64_t offset = state.offsetOf(op.getName(), type, layout);
  Value view = memref::ViewOp::create(b, loc, state.layoutType(type, layout),
                                      params, constant(offset), ValueRange{});
  paramViews[param].push_back({layout, view});
  return view;
}

LogicalResult FunctionLowering::lowerContraction(Operation *op) {
  if (std::optional<unsigned> weights = state.matrixOperand(op))
    matrixContraction(op, *weights);
  else
    genericContraction(op);
  return success();
}

/// The columns before what is summed, in memory as `layout` says or, of values
/// that are no parameters, made so.
Buffer FunctionLowering::matrixOf(Value weights, const Layout &layout,
                                  AxesRef columns, AxesRef over) {
  Axes order(columns);
  order.append(over.begin(), over.end());
  if (isParamLike(weights))
    return {paramIn(weights, layout), order};
  Buffer matrix = permuted(buffer(weights), order);
  return as(kernelType({matrix}), matrix);
}

/// c[m][n] = sum over k of a[m][k] * matrix[n][k].
void FunctionLowering::matrixContraction(Operation *op, unsigned weights) {
  Value w = op->getOperand(weights), x = op->getOperand(1 - weights);
  auto wType = cast<TensorType>(w.getType());
  Axes over = contractedAxes(op);
  Layout layout = *state.matrixLayout(w, over);

  Buffer rows = buffer(x);
  Axes order;
  for (AxisAttr axis : rows.order)
    if (!llvm::is_contained(over, axis))
      order.push_back(axis);
  size_t leading = order.size();
  Axes wanted = order;
  wanted.append(over.begin(), over.end());
  rows = permuted(rows, wanted);

  Axes columns = without(wType.getAxes(), over);
  Value matrix;
  if (state.onGpu()) {
    Buffer whole = matrixOf(w, layout, columns, over);
    rows = as(elementOf(whole), rows);
    matrix = as2D(whole, columns.size());
  } else {
    matrix =
        isParamLike(w) ? paramIn(w, layout) : pack(buffer(w), columns, over);
  }

  order.append(columns.begin(), columns.end());
  Buffer out = allocResult(op->getResult(0), order);
  auto dot = kernel::DotOp::create(
      b, loc, as2D(rows, leading), matrix, as2D(out, leading),
      /*extras=*/ValueRange(), /*scratch=*/Value(), storedName(layout),
      /*exact=*/state.exact && storedName(layout));
  giveScratch(dot, AxesRef(order).take_front(leading));
  set(op->getResult(0), out);
}

/// Of bytes, what numbers they are.
StringAttr FunctionLowering::storedName(const Layout &layout) {
  if (!WeightFormat::isQuantised(layout.stored))
    return {};
  return b.getStringAttr(WeightFormat::get(layout.stored)->name);
}

/// What the kernel keeps of its rows, which `axes` count, in another form.
void FunctionLowering::giveScratch(kernel::DotOp dot, AxesRef axes) {
  int64_t bytes = state.onGpu() ? 0 : dotScratchPerRow(dot);
  if (bytes == 0)
    return;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(dot);
  Value total;
  for (AxisAttr axis : axes) {
    if (int64_t fixed = axis.getStaticSize(); fixed >= 0)
      bytes *= fixed;
    else if (Value size = sizeValue(axis))
      total = total ? arith::MulIOp::create(b, loc, total, size) : size;
  }
  if (!total)
    return dot.getScratchMutable().assign(allocBytes(bytes));
  total = arith::MulIOp::create(b, loc, total, constant(bytes));
  auto type = MemRefType::get(ShapedType::kDynamic, b.getI8Type());
  dot.getScratchMutable().assign(
      memref::AllocOp::create(b, loc, type, total).getResult());
}

/// Panels of values that are not parameters, made when called.
Value FunctionLowering::pack(const Buffer &from, AxesRef n, AxesRef k) {
  Axes order(n);
  order.append(k.begin(), k.end());
  Value matrix = as2D(permuted(from, order), n.size()); // [N][K]
  auto type = cast<MemRefType>(matrix.getType());
  int64_t rows = type.getDimSize(0), depth = type.getDimSize(1);
  int64_t nr = state.panelWidth, count = (rows + nr - 1) / nr;
  Value panels = memref::AllocOp::create(
      b, loc, MemRefType::get({count, depth, nr}, b.getF32Type()));
  Value zero = floatConstant(b, loc, b.getF32Type(), 0);
  auto loop = [&](int64_t end, auto &&body) {
    auto loopOp =
        scf::ForOp::create(b, loc, constant(0), constant(end), constant(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loopOp.getBody());
    body(loopOp.getInductionVar());
  };
  loop(count * nr, [&](Value row) {
    Value panel = arith::DivUIOp::create(b, loc, row, constant(nr));
    Value lane = arith::RemUIOp::create(b, loc, row, constant(nr));
    Value real = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, row,
                                       constant(rows));
    Value safe = arith::SelectOp::create(b, loc, real, row, constant(0));
    loop(depth, [&](Value at) {
      Value v = memref::LoadOp::create(b, loc, matrix, ValueRange{safe, at});
      v = arith::SelectOp::create(b, loc, real, v, zero);
      memref::StoreOp::create(b, loc, v, panels, ValueRange{panel, at, lane});
    });
  });
  return panels;
}

void FunctionLowering::genericContraction(Operation *op) {
  Buffer x = buffer(op->getOperand(0)), y = buffer(op->getOperand(1));
  Axes over = contractedAxes(op), order;
  Value data = op->getNumOperands() > 2 ? op->getOperand(2) : Value();
  if (data)
    buffer(data);
  AxisAttr sequence; // the summed axis whose positions may be missing
  for (AxisAttr axis : over)
    if (data && axis.getBase().getData() != AxisData::all)
      sequence = axis;
  auto hides = [&](unsigned i) {
    auto type = cast<TensorType>(op->getOperand(i).getType());
    return type.is(Is::weights) && type.getKind().getA().isRead();
  };
  unsigned weights = hides(0) ? 1 : hides(1) ? 2 : 0; // which operand, from 1
  for (AxisAttr axis : x.order)
    if (!llvm::is_contained(over, axis))
      order.push_back(axis);
  for (AxisAttr axis : y.order)
    if (!llvm::is_contained(over, axis) && !llvm::is_contained(order, axis))
      order.push_back(axis);
  Value result = op->getResult(0);
  Buffer out = allocResult(result, order);
  // Half precision is summed in f32 and rounded once.
  Type element = elementOf(out);
  bool half = element.isF16() || element.isBF16();
  Buffer sum = half ? alloc(order, b.getF32Type()) : out;
  fill(sum, 0);
  // Summed in the order of the index: the result of one element depends on
  // nothing but its own operands.
  generic(order, over, {x, y}, {sum}, [&](const Body &body) {
    OpBuilder &nb = body.b;
    Value p = widen(nb, body.loc, body.args[0]);
    Value q = widen(nb, body.loc, body.args[1]);
    Value acc = body.args[2], next;
    if (isa<FloatType>(p.getType())) {
      Value product = arith::MulFOp::create(nb, body.loc, p, q);
      next = arith::AddFOp::create(nb, body.loc, acc, product);
    } else {
      Value product = arith::MulIOp::create(nb, body.loc, p, q);
      next = arith::AddIOp::create(nb, body.loc, acc, product);
    }
    if (sequence)
      if (Value real = isReal(body, sequence, data, /*needsNext=*/false))
        next = arith::SelectOp::create(nb, body.loc, real, next, acc);
    // What weights hide is not read: it may be anything, and 0 times NaN is
    // NaN.
    if (weights) {
      Value weight = weights == 1 ? p : q;
      Value zero = floatConstant(nb, body.loc, weight.getType(), 0);
      Value some = arith::CmpFOp::create(
          nb, body.loc, arith::CmpFPredicate::UNE, weight, zero);
      next = arith::SelectOp::create(nb, body.loc, some, next, acc);
    }
    return SmallVector<Value>{next};
  });
  if (half)
    copy(sum, out);
  set(result, out);
}

/// Scores that no softmax takes up: their numbers are a bias, or a result.
void FunctionLowering::lowerScores(ScoresOp op) {
  genericContraction(op);
  Buffer scores = buffer(op.getResult());
  generic(scores.order, {}, {}, {scores}, [&](const Body &body) {
    Value v = widen(body.b, body.loc, body.args[0]);
    v = arith::MulFOp::create(body.b, body.loc, v,
                              floatConstant(body.b, body.loc, v.getType(),
                                            op.getScale().convertToDouble()));
    return SmallVector<Value>{
        convertTo(body.b, body.loc, v, elementOf(scores))};
  });
}

Value FunctionLowering::loadBelow(OpBuilder &nb, Location l, Value memory,
                                  ValueRange at, Value id, Value size,
                                  double otherwise) {
  Value there =
      arith::CmpIOp::create(nb, l, arith::CmpIPredicate::ult, id, size);
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  auto branch = scf::IfOp::create(
      nb, l, there,
      [&](OpBuilder &tb, Location tl) {
        scf::YieldOp::create(
            tb, tl, memref::LoadOp::create(tb, tl, memory, at).getResult());
      },
      [&](OpBuilder &eb, Location el) {
        scf::YieldOp::create(eb, el, floatConstant(eb, el, element, otherwise));
      });
  return branch.getResult(0);
}

void FunctionLowering::lowerEmbed(EmbedOp op) {
  Buffer ids = buffer(op.getIds());
  Value table = op.getTable();
  TensorType type = op.getTable().getType();
  Axes features;
  for (AxisAttr axis : type.getAxes())
    if (axis != op.getFrom())
      features.push_back(axis);
  // A table that is also contracted, or quantised, lies in panels.
  Layout layout = plainLayout(type);
  if (isParamLike(table))
    for (const Layout &have : state.layoutsOf(table)) {
      if (have.nr == 0 && have.n == layout.n)
        layout = have;
      if (have.nr && have.n.size() == 1 &&
          type.getAxes()[have.n[0]] == op.getFrom()) {
        layout = have;
        features.clear();
        for (int64_t i : have.k)
          features.push_back(type.getAxes()[i]);
        break;
      }
    }
  Value memory;
  Axes order;
  if (isParamLike(table)) {
    memory = paramIn(table, layout);
    order = Axes(type.getAxes());
  } else {
    Buffer plain = buffer(table);
    memory = plain.memref;
    order = plain.order;
  }
  Axes loops = ids.order;
  loops.append(features.begin(), features.end());
  Buffer out = allocResult(op.getResult(), loops);
  Value size = sizeValue(op.getFrom());
  generic(loops, {}, {ids}, {out}, [&](const Body &body) {
    OpBuilder &nb = body.b;
    Location l = body.loc;
    Value id =
        arith::IndexCastOp::create(nb, l, nb.getIndexType(), body.args[0]);
    SmallVector<Value> at;
    if (layout.nr) {
      Value k = indexConstant(nb, l, 0);
      for (AxisAttr axis : features) {
        k = arith::MulIOp::create(nb, l, k,
                                  indexConstant(nb, l, extentOf(axis)));
        k = arith::AddIOp::create(nb, l, k, body.index(axis));
      }
      Value v = loadFromPanels(nb, l, memory, layout, id, k);
      return SmallVector<Value>{convertTo(nb, l, v, elementOf(out))};
    }
    for (AxisAttr axis : order)
      at.push_back(axis == op.getFrom() ? id : body.index(axis));
    bool isStatic = op.getFrom().getStaticSize() >= 0;
    // The argmax over an axis that a call makes empty is in no table.
    double otherwise = isStatic ? NAN : 0;
    Value v = isStatic && !state.onGpu()
                  ? memref::LoadOp::create(nb, l, memory, at).getResult()
                  : loadBelow(nb, l, memory, at, id, size, otherwise);
    return SmallVector<Value>{convertTo(nb, l, v, elementOf(out))};
  });
  set(op.getResult(), out);
}

} // namespace nax
