//===- Loss.cpp - verifiers of labels and losses --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../Rules.h"

using namespace mlir;
using namespace nax;
using namespace nax::checks;

LogicalResult LogitsOp::verify() {
  if (failed(
          obey(*this, rule::as_logits(describe(getOver()), Described(getX())))))
    return failure();
  return expectResult(
      *this, Wanted(getX().getType()).withKind(KindAttr::getLogits(getOver())));
}

LogicalResult NextOp::verify() {
  nax::TensorType type = getIds().getType();
  if (failed(
          obey(*this, rule::next(describe(getAxis()), Described(getIds())))) ||
      failed(verifyData(*this, getData(), getAxis(), type, {})))
    return failure();
  return expectResult(
      *this, Wanted(type).withAxes(replaced(type.getAxes(), getAxis(),
                                            AxisAttr::getNext(getAxis()))));
}

LogicalResult CrossEntropyOp::verify() {
  nax::TensorType logits = getLogits().getType(),
                  labels = getLabels().getType();
  if (failed(obey(*this, rule::cross_entropy(describe(getOver()),
                                             Described(getLogits()),
                                             Described(getLabels())))))
    return failure();

  KindAttr kind;
  for (AxisAttr axis : labels.getAxes()) {
    if (!axis.isNext())
      continue;
    kind = KindAttr::getLosses(axis.getBase());
    if (failed(verifyData(*this, getData(), axis, logits,
                          {AxisData::ragged, AxisData::packed})))
      return failure();
  }
  if (!kind && getData())
    return emitOpError("expects no data, since every position has a label");
  return expectResult(*this, Wanted(less(logits.getAxes(), getOver()),
                                    logits.getElementType(), kind,
                                    joinedWhole(logits, labels)));
}
