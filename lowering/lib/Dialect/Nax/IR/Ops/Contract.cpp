//===- Contract.cpp - verifiers of parameters and contraction -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../Rules.h"

using namespace mlir;
using namespace nax;
using namespace nax::checks;

LogicalResult ParamOp::verify() {
  if (getName().empty())
    return emitOpError("expects a parameter to have a path");
  nax::TensorType type = getType();
  if (!type.isPlain() || type.getWhole())
    return emitOpError("expects a parameter to be plain numbers, but got ")
           << type.getLabel();
  for (AxisAttr axis : type.getAxes())
    if (!axis.hasStaticSize())
      return emitOpError("expects the axes of a parameter to have fixed sizes, "
                         "but ")
             << axis.getLabel() << " of " << type.getLabel() << " has none";
  return success();
}

LogicalResult DotOp::verify() {
  Described x(getX()), y(getY());
  auto over = describe(getOver());
  if (failed(obey(*this, rule::dot(over.data(), over.size(), x, y))))
    return failure();

  nax::TensorType xType = getX().getType(), yType = getY().getType();
  // Weights are causal already; any other sum along a causal axis has seen all
  // of it.
  AxisAttr whole = joinedWhole(xType, yType);
  if (!xType.is(Is::weights) && !yType.is(Is::weights))
    whole = wholeAfter(whole, getOver());
  return expectResult(
      *this, Wanted(less(joined(xType.getAxes(), yType.getAxes()), getOver()),
                    xType.getElementType(), {}, whole));
}
