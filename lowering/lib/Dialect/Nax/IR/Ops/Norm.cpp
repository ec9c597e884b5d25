//===- Norm.cpp - verifiers of normalisation ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../Rules.h"

using namespace mlir;
using namespace nax;
using namespace nax::checks;

/// What both norms ask of their operands.
static LogicalResult verifyNorm(Operation *op, std::string_view name,
                                TypedValue<nax::TensorType> x,
                                ArrayRef<TypedValue<nax::TensorType>> weights,
                                ArrayRef<AxisAttr> over, const APFloat &eps) {
  Described info(x);
  AxisAttr whole = x.getType().getWhole();
  auto axes = describe(over);
  if (failed(obey(op, rule::norm(name, axes.data(), axes.size(), info))))
    return failure();
  for (TypedValue<nax::TensorType> weight : weights) {
    if (!weight)
      continue;
    if (failed(obey(op, rule::norm_over(name, axes.data(), axes.size(), info,
                                        Described(weight)))))
      return failure();
    if (!whole)
      whole = weight.getType().getWhole();
  }
  if (eps.isNegative())
    return op->emitOpError("expects an eps that is not negative");
  if (failed(verifyConstant(op, "eps", eps)))
    return failure();
  return expectResult(op, Wanted(x.getType()).withWhole(whole));
}

LogicalResult RmsNormOp::verify() {
  return verifyNorm(*this, getOnePlus() ? "rms_norm_unit_offset" : "rms_norm",
                    getX(), getGain(), getOver(), getEps());
}

LogicalResult LayerNormOp::verify() {
  return verifyNorm(*this, "layer_norm", getX(), {getGain(), getShift()},
                    getOver(), getEps());
}
