//===- Reduce.cpp - verifiers of what makes axes go away ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../Rules.h"

using namespace mlir;
using namespace nax;
using namespace nax::checks;

/// sum, mean, max. At most one of the axes may need data: ragged and
/// left-padded ones, and the packed axis of losses, which have no label across
/// documents.
template <typename OpTy>
static LogicalResult verifyReduce(OpTy op, std::string_view name) {
  nax::TensorType type = op.getX().getType();
  ArrayRef<AxisAttr> over = op.getOver();
  auto axes = describe(over);
  if (failed(obey(op, rule::reduce(name, axes.data(), axes.size(),
                                   Described(op.getX())))))
    return failure();

  SmallVector<AxisData> needed = {AxisData::ragged, AxisData::left_padded};
  if (type.is(Is::losses))
    needed.push_back(AxisData::packed);
  if (failed(verifyCounted(op, op.getData(), over, type, needed)))
    return failure();
  // Losses stay losses until the axis goes that says which of them count.
  KindAttr kind = type.getKind();
  if (!type.is(Is::losses) || llvm::is_contained(over, kind.getA()))
    kind = {};
  return expectResult(op,
                      Wanted(less(type.getAxes(), over), type.getElementType(),
                             kind, wholeAfter(type.getWhole(), over)));
}

LogicalResult SumOp::verify() { return verifyReduce(*this, "sum"); }

LogicalResult MeanOp::verify() { return verifyReduce(*this, "mean"); }

LogicalResult MaxOp::verify() { return verifyReduce(*this, "max"); }

LogicalResult LastOp::verify() {
  nax::TensorType type = getX().getType();
  if (failed(obey(*this, rule::last(describe(getAxis()), Described(getX())))) ||
      failed(verifyData(*this, getData(), getAxis(), type,
                        {AxisData::ragged, AxisData::left_padded,
                         AxisData::continued})))
    return failure();
  return expectResult(*this,
                      Wanted(type)
                          .withAxes(less(type.getAxes(), getAxis()))
                          .withWhole(wholeAfter(type.getWhole(), getAxis())));
}

LogicalResult FirstOp::verify() {
  nax::TensorType type = getX().getType();
  if (failed(
          obey(*this, rule::first(describe(getAxis()), Described(getX())))) ||
      failed(verifyData(*this, getData(), getAxis(), type,
                        {AxisData::ragged, AxisData::left_padded})))
    return failure();
  // Every position may read the first, so nothing whole was seen.
  return expectResult(*this,
                      Wanted(type).withAxes(less(type.getAxes(), getAxis())));
}

/// The ids of argmax and top_k are of the width that the result says.
static LogicalResult expectIds(Operation *op, nax::TensorType x,
                               ArrayRef<AxisAttr> axes, AxisAttr vocabulary) {
  Type width =
      cast<nax::TensorType>(op->getResult(0).getType()).getElementType();
  if (!width.isInteger(64))
    width = IntegerType::get(op->getContext(), 32);
  return expectResult(
      op, Wanted(axes, width, KindAttr::getIds(vocabulary), x.getWhole()));
}

LogicalResult ArgmaxOp::verify() {
  nax::TensorType type = getX().getType();
  if (failed(obey(*this, rule::choose("argmax", describe(getOver()),
                                      Described(getX())))))
    return failure();
  return expectIds(*this, type, less(type.getAxes(), getOver()), getOver());
}

LogicalResult TopKOp::verify() {
  nax::TensorType type = getX().getType();
  if (failed(obey(*this, rule::top_k(describe(getOver()), describe(getK()),
                                     Described(getX())))))
    return failure();
  return expectIds(*this, type, joined(less(type.getAxes(), getOver()), getK()),
                   getOver());
}
