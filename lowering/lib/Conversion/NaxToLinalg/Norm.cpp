//===- Norm.cpp - norms, softmax over features, cross entropy -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace nax {

/// rms_norm and layer_norm: rows of the normalised axes, one after another.
void FunctionLowering::lowerNorm(Operation *op) {
  auto rms = dyn_cast<RmsNormOp>(op);
  auto layer = dyn_cast<LayerNormOp>(op);
  AxesRef over = rms ? rms.getOver() : layer.getOver();
  auto asKernel = [&](const Buffer &from) {
    return fitsKernels(elementOf(from)) ? from : asF32(from);
  };
  Buffer x = asKernel(buffer(op->getOperand(0)));
  Axes order = without(x.order, over);
  size_t leading = order.size();
  order.append(over.begin(), over.end());
  x = permuted(x, order);

  auto row = [&](Value v) -> Value {
    Buffer p = permuted(asKernel(buffer(v)), over);
    if (over.size() == 1)
      return p.memref;
    ReassociationIndices all;
    for (size_t i = 0; i < over.size(); ++i)
      all.push_back(i);
    return collapse(p, {all});
  };
  Value gain = row(op->getOperand(1));
  Value shift = layer && layer.getShift() ? row(layer.getShift()) : Value();
  double eps = (rms ? rms.getEps() : layer.getEps()).convertToDouble();

  Buffer out = allocResult(op->getResult(0), order);
  Buffer wide =
      fitsKernels(elementOf(out)) ? out : alloc(order, b.getF32Type());
  kernel::NormOp::create(
      b, loc, as2D(x, leading), gain, shift, as2D(wide, leading),
      /*scratch=*/Value(), b.getStringAttr(rms ? "rms" : "layer"),
      b.getF64FloatAttr(eps),
      rms && rms.getOnePlus() ? b.getUnitAttr() : UnitAttr());
  copy(wide, out);
  set(op->getResult(0), out);
}

static Value maximum(OpBuilder &b, Location loc, Value x, Value y) {
  return arith::MaximumFOp::create(b, loc, x, y);
}

/// Softmax over a plain axis (experts, a vocabulary) or over the positions of a
/// sequence that are there: exp(x - max) / sum; zeros where there are none.
void FunctionLowering::lowerSoftmax(SoftmaxOp op) {
  Buffer x = buffer(op.getX());
  AxisAttr along = op.getAlong();
  Axes kept = without(x.order, along);
  Type element = elementOf(x);
  Type wide = element.isF64() ? element : Type(b.getF32Type());
  if (op.getData())
    buffer(op.getData());
  // What the body gives where the position is there, else `otherwise`.
  auto whereReal = [&](const Body &body, Value v, Value otherwise) {
    Value real;
    if (op.getData())
      real = isReal(body, along, op.getData(), /*needsNext=*/false);
    if (real)
      v = arith::SelectOp::create(body.b, body.loc, real, v, otherwise);
    return SmallVector<Value>{v};
  };
  Buffer top = alloc(kept, wide), sum = alloc(kept, wide);
  fill(top, -std::numeric_limits<double>::infinity());
  generic(kept, along, {x}, {top}, [&](const Body &body) {
    Value v = widen(body.b, body.loc, body.args[0]);
    return whereReal(body, maximum(body.b, body.loc, v, body.args[1]),
                     body.args[1]);
  });
  Buffer out = allocResult(op.getResult(), x.order);
  Buffer e = elementOf(out) == wide ? out : alloc(x.order, wide);
  generic(x.order, {}, {x, top}, {e}, [&](const Body &body) {
    Value v = widen(body.b, body.loc, body.args[0]);
    v = arith::SubFOp::create(body.b, body.loc, v, body.args[1]);
    return whereReal(body, expOf(body.b, body.loc, v),
                     floatConstant(body.b, body.loc, wide, 0));
  });
  fill(sum, 0);
  generic(kept, along, {e}, {sum}, [&](const Body &body) {
    return SmallVector<Value>{
        arith::AddFOp::create(body.b, body.loc, body.args[1], body.args[0])};
  });
  generic(x.order, {}, {e, sum}, {out}, [&](const Body &body) {
    Value v =
        arith::DivFOp::create(body.b, body.loc, body.args[0], body.args[1]);
    // A row in which nothing is there has the sum 0.
    v = whereReal(body, v, floatConstant(body.b, body.loc, wide, 0))[0];
    return SmallVector<Value>{convertTo(body.b, body.loc, v, elementOf(out))};
  });
  set(op.getResult(), out);
}

/// log(sum exp(x - max)) + max - x[label]; 0 where there is no label.
void FunctionLowering::lowerCrossEntropy(CrossEntropyOp op) {
  Buffer x = buffer(op.getLogits());
  Buffer labels = buffer(op.getLabels());
  AxisAttr over = op.getOver();
  Axes kept = without(x.order, over);
  // Labels that stand on next T belong to position t of the logits.
  AxisAttr shifted;
  for (AxisAttr &axis : labels.order)
    if (axis.isNext()) {
      shifted = axis.getBase();
      axis = shifted;
    }
  Type wide = elementOf(x).isF64() ? elementOf(x) : Type(b.getF32Type());
  Buffer top = alloc(kept, wide), sum = alloc(kept, wide);
  fill(top, -std::numeric_limits<double>::infinity());
  generic(kept, over, {x}, {top}, [&](const Body &body) {
    Value v = widen(body.b, body.loc, body.args[0]);
    return SmallVector<Value>{maximum(body.b, body.loc, v, body.args[1])};
  });
  fill(sum, 0);
  generic(kept, over, {x, top}, {sum}, [&](const Body &body) {
    Value v = widen(body.b, body.loc, body.args[0]);
    v = arith::SubFOp::create(body.b, body.loc, v, body.args[1]);
    v = expOf(body.b, body.loc, v);
    return SmallVector<Value>{
        arith::AddFOp::create(body.b, body.loc, body.args[2], v)};
  });
  Buffer out = allocResult(op.getResult(), kept);
  Value size = sizeValue(over);
  Value data = op.getData();
  if (data)
    buffer(data);
  generic(kept, {}, {labels, top, sum}, {out}, [&](const Body &body) {
    OpBuilder &nb = body.b;
    Location l = body.loc;
    Value label =
        arith::IndexCastOp::create(nb, l, nb.getIndexType(), body.args[0]);
    SmallVector<Value> at;
    for (AxisAttr axis : x.order)
      at.push_back(axis == over ? label : body.index(axis));
    Value raw = state.onGpu()
                    ? loadBelow(nb, l, x.memref, at, label, size, NAN)
                    : memref::LoadOp::create(nb, l, x.memref, at).getResult();
    Value chosen = widen(nb, l, raw);
    Value loss = arith::SubFOp::create(nb, l, body.args[1], chosen);
    loss = arith::AddFOp::create(nb, l, loss, logOf(nb, l, body.args[2]));
    if (shifted)
      if (Value real = isReal(body, shifted, data, /*needsNext=*/true))
        loss = arith::SelectOp::create(nb, l, real, loss,
                                       floatConstant(nb, l, loss.getType(), 0));
    return SmallVector<Value>{convertTo(nb, l, loss, elementOf(out))};
  });
  set(op.getResult(), out);
}

} // namespace nax
