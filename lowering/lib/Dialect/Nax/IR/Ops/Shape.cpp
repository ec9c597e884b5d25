//===- Shape.cpp - verifiers of split, merge, part, concat, spread --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../Rules.h"

using namespace mlir;
using namespace nax;
using namespace nax::checks;

LogicalResult SplitOp::verify() {
  nax::TensorType type = getX().getType();
  if (failed(obey(*this, rule::split(describe(getAxis()), Described(getX())))))
    return failure();
  return expectResult(*this,
                      Wanted(type).withAxes(replaced(type.getAxes(), getAxis(),
                                                     getAxis().getParts())));
}

LogicalResult MergeOp::verify() {
  nax::TensorType type = getX().getType();
  if (failed(obey(*this, rule::merge(describe(getAxis()), Described(getX())))))
    return failure();
  // The product takes the place of the first factor that x has.
  SmallVector<AxisAttr> axes;
  for (AxisAttr axis : type.getAxes()) {
    if (!llvm::is_contained(getAxis().getParts(), axis))
      axes.push_back(axis);
    else if (!llvm::is_contained(axes, getAxis()))
      axes.push_back(getAxis());
  }
  return expectResult(*this, Wanted(type).withAxes(axes));
}

LogicalResult PartOp::verify() {
  nax::TensorType type = getX().getType();
  Described x(getX());
  if (failed(obey(*this, rule::part(describe(getPart()), x))))
    return failure();
  if (rule::concat_with(x, describe(getPart())) != describe(getConcat()))
    return emitOpError("expects ")
           << getPart().getLabel() << " to be a part of "
           << getConcat().getLabel() << " in " << type.getLabel();
  return expectResult(*this, Wanted(type).withAxes(replaced(
                                 type.getAxes(), getConcat(), getPart())));
}

LogicalResult ConcatOp::verify() {
  SmallVector<std::unique_ptr<Described>> infos;
  SmallVector<const rule::TensorInfo *> pointers;
  for (Value x : getXs()) {
    infos.push_back(
        std::make_unique<Described>(cast<TypedValue<nax::TensorType>>(x)));
    pointers.push_back(infos.back()->get());
  }
  if (failed(obey(*this, rule::concat(describe(getAxis()), pointers.data(),
                                      pointers.size()))))
    return failure();

  auto first = cast<nax::TensorType>(getXs().front().getType());
  AxisAttr whole;
  for (Value x : getXs())
    if (AxisAttr seen = cast<nax::TensorType>(x.getType()).getWhole())
      whole = seen;
  return expectResult(
      *this, first
                 .withAxes(replaced(first.getAxes(),
                                    getAxis().getParts().front(), getAxis()))
                 .withWhole(whole));
}

LogicalResult SpreadOp::verify() {
  nax::TensorType type = getX().getType();
  if (failed(obey(*this, rule::spread(describe(getAxis()), Described(getX())))))
    return failure();
  return expectResult(*this,
                      Wanted(type).withAxes(joined(type.getAxes(), getAxis())));
}
