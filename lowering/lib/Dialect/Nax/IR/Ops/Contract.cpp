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
  // It stands in messages, in C and among the names of a file's tensors.
  if (llvm::any_of(getName(), [](unsigned char c) { return c < ' '; }))
    return emitOpError("expects a path of one line without control characters");
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
  // Weights over what is read are 0 where nothing is.
  bool weighted = xType.is(Is::weights) || yType.is(Is::weights);
  bool hidden = weighted && getOver()[0].isRead();
  SmallVector<AxisAttr> all = joined(xType.getAxes(), yType.getAxes());
  if (failed(verifyCounted(*this, getData(), hidden ? ArrayRef<AxisAttr>() : getOver(),
                           Wanted(all, xType.getElementType()),
                           {AxisData::ragged, AxisData::left_padded})))
    return failure();

  // Weights are causal already; any other sum along a causal axis has seen all
  // of it.
  AxisAttr whole = joinedWhole(xType, yType);
  if (!weighted)
    whole = wholeAfter(whole, getOver());
  return expectResult(
      *this, Wanted(less(all, getOver()),
                    xType.getElementType(), {}, whole));
}
