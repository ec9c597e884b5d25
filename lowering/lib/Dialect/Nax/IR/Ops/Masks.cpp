//===- Masks.cpp - verifiers of masks -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../Rules.h"

using namespace mlir;
using namespace nax;
using namespace nax::checks;

static Wanted maskType(MLIRContext *context, ArrayRef<AxisAttr> axes,
                       AxisAttr query, AxisAttr key) {
  return Wanted(axes, IntegerType::get(context, 1),
                KindAttr::getMask(query, key));
}

LogicalResult WindowOp::verify() {
  AxisAttr axis = getAxis();
  if (failed(obey(*this, rule::sized_mask("window", describe(axis),
                                          static_cast<int64_t>(getSize())))))
    return failure();
  AxisAttr key = AxisAttr::getRead(axis);
  return expectResult(*this, maskType(getContext(), {axis, key}, axis, key));
}

LogicalResult PastOp::verify() {
  AxisAttr axis = getAxis();
  if (failed(obey(*this, rule::past(describe(axis)))))
    return failure();
  AxisAttr key = AxisAttr::getRead(axis);
  return expectResult(*this, maskType(getContext(), {axis, key}, axis, key));
}

LogicalResult PrefixOp::verify() {
  if (failed(obey(*this, rule::prefix(describe(getAxis()),
                                      static_cast<int64_t>(getSize())))))
    return failure();
  AxisAttr key = AxisAttr::getRead(getAxis());
  return expectResult(*this, maskType(getContext(), key, {}, key));
}

LogicalResult ShorterThanOp::verify() {
  nax::TensorType type = getLengths().getType();
  if (failed(obey(*this, rule::shorter_than(describe(getAxis()),
                                            Described(getLengths())))))
    return failure();
  AxisAttr key = AxisAttr::getRead(getAxis());
  return expectResult(
      *this, maskType(getContext(), joined(type.getAxes(), key), {}, key)
                 .withWhole(type.getWhole()));
}

LogicalResult SameDocumentOp::verify() {
  nax::TensorType type = getDocuments().getType();
  if (failed(obey(*this, rule::same_document(describe(getAxis()),
                                             Described(getDocuments())))))
    return failure();
  AxisAttr key = AxisAttr::getRead(getAxis());
  if (getAxis().isContinued() != bool(getCached()))
    return emitOpError("expects what is cached of the documents exactly if the "
                       "axis is continued, as ")
           << getAxis().getName()
           << (getAxis().isContinued() ? " is" : " is not");
  if (getCached() &&
      getCached().getType() !=
          type.withAxes(replaced(type.getAxes(), getAxis(), key)))
    return emitOpError("expects the cached documents to be as ")
           << type.getLabel() << " with " << key.getLabel() << ", but got "
           << getCached().getType().getLabel();
  return expectResult(
      *this, maskType(getContext(), joined(type.getAxes(), key), getAxis(), key)
                 .withWhole(type.getWhole()));
}

/// allowed_where_true and blocked_where_true: about the one axis being read,
/// and about the one who asks if the buffer stands on it too: on the sequence
/// that is read, or on one other.
template <typename OpTy>
static LogicalResult verifyPolarity(OpTy op) {
  nax::TensorType type = op.getM().getType();
  rule::Text sentence = rule::polarity(
      llvm::StringRef(OpTy::getOperationName()).drop_front(strlen("nax.")),
      Described(op.getM()));
  if (failed(obey(op, sentence)))
    return failure();
  AxisAttr query, key;
  int sequences = 0;
  for (AxisAttr axis : type.getAxes()) {
    if (axis.isRead())
      key = axis;
    else if (axis.isSequence())
      query = axis, ++sequences;
  }
  if (type.has(key.getBase()))
    query = key.getBase();
  else if (sequences != 1)
    query = {};
  return expectResult(op, Wanted(type).withKind(KindAttr::getMask(query, key)));
}

LogicalResult AllowedWhereTrueOp::verify() { return verifyPolarity(*this); }

LogicalResult BlockedWhereTrueOp::verify() { return verifyPolarity(*this); }

/// mask_and and mask_or, which the language spells & and |.
template <typename OpTy>
static LogicalResult verifyMaskJoin(OpTy op, std::string_view name) {
  Described x(op.getX()), y(op.getY());
  if (failed(obey(op, rule::join_masks(name, x, y))))
    return failure();
  nax::TensorType xType = op.getX().getType(), yType = op.getY().getType();
  AxisAttr query =
      xType.getKind().getA() ? xType.getKind().getA() : yType.getKind().getA();
  return expectResult(op, maskType(op.getContext(),
                                   joined(xType.getAxes(), yType.getAxes()),
                                   query, xType.getKind().getB())
                              .withWhole(joinedWhole(xType, yType)));
}

LogicalResult MaskAndOp::verify() { return verifyMaskJoin(*this, "operator&"); }

LogicalResult MaskOrOp::verify() { return verifyMaskJoin(*this, "operator|"); }

LogicalResult MaskNotOp::verify() {
  return obey(*this, rule::invert_mask(Described(getX())));
}
