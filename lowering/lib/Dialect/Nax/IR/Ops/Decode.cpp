//===- Decode.cpp - verifiers of what follows cached positions ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../Rules.h"

using namespace mlir;
using namespace nax;
using namespace nax::checks;

/// A continued axis, and its span.
static LogicalResult verifySpan(Operation *op, AxisAttr axis,
                                nax::TensorType span) {
  if (!axis.isSequence() || !axis.isContinued())
    return op->emitOpError("expects a continued axis, but got ")
           << axis.getLabel();
  if (isSpan(span, axis))
    return success();
  return op->emitOpError("expects the span of ")
         << axis.getName() << " to be i32 on its rows and then on "
         << AxisAttr::getSpan(axis).getName() << ", but got " << span.getLabel()
         << " of " << nameOf(span.getElementType());
}

LogicalResult PositionsOp::verify() {
  AxisAttr axis = getAxis();
  nax::TensorType span = getSpan().getType();
  if (failed(verifySpan(*this, axis, span)))
    return failure();
  ArrayRef<AxisAttr> rows = span.getAxes().drop_back();
  SmallVector<AxisAttr> axes(rows);
  axes.push_back(axis);
  if (bool(getDocuments()) != bool(getCached()))
    return emitOpError("expects documents and what is cached of them, or "
                       "neither");
  Type i32 = IntegerType::get(getContext(), 32);
  for (auto [value, on] : {std::pair(getDocuments(), axis),
                           std::pair(getCached(), AxisAttr::getRead(axis))}) {
    if (!value)
      continue;
    axes.back() = on;
    nax::TensorType type = value.getType();
    if (type.isPlain() && type.getElementType() == i32 &&
        llvm::equal(less(axes, type.getAxes()), ArrayRef<AxisAttr>()) &&
        type.getAxes().size() == axes.size())
      continue;
    return emitOpError("expects the ")
           << (on == axis ? "documents" : "cached documents")
           << " to be i32 on the rows of its span and " << on.getLabel()
           << ", but got " << type.getLabel() << " of "
           << nameOf(type.getElementType());
  }
  axes.back() = axis;
  return expectResult(*this, Wanted(axes, i32));
}

/// In a cache floats are f32, which is what attention reads.
Type CachedOp::numberKept(Type number) {
  return isa<FloatType>(number) ? Float32Type::get(number.getContext())
                                : number;
}

LogicalResult CachedOp::verify() {
  AxisAttr axis = getAxis();
  nax::TensorType x = getX().getType(), cache = getCache().getType(),
                  span = getSpan().getType();
  if (failed(verifySpan(*this, axis, span)) ||
      failed(obey(*this, rule::read(describe(axis), Described(getX())))))
    return failure();
  ArrayRef<AxisAttr> rows = span.getAxes().drop_back();
  for (AxisAttr row : rows)
    if (!x.has(row))
      return emitOpError("expects what is cached to stand on all rows, but ")
             << x.getLabel() << " lacks " << row.getLabel();

  // The slots take the place of T right behind the rows.
  ArrayRef<AxisAttr> axes = cache.getAxes();
  AxisAttr slots = axes.size() > rows.size() ? axes[rows.size()] : AxisAttr();
  SmallVector<AxisAttr> others = less(x.getAxes(), axis);
  if (!slots || slots.getKind() != AxisKind::plain || slots.hasStaticSize() ||
      axes.take_front(rows.size()) != rows ||
      others.size() + 1 != axes.size() || !less(others, axes).empty())
    return emitOpError("expects the cache to stand on the rows, on slots whose "
                       "number is known when called and on the other axes of ")
           << x.getLabel() << ", but got " << cache.getLabel();
  Type kept = numberKept(x.getElementType());
  if (!cache.isPlain() || cache.getWhole() || cache.getElementType() != kept)
    return emitOpError("expects the cache to hold plain ")
           << nameOf(kept) << ", as attention reads " << x.getLabel()
           << ", but got " << cache.getLabel() << " of "
           << nameOf(cache.getElementType());

  AxisAttr read = AxisAttr::getRead(axis);
  KindAttr kind = x.getKind();
  if (x.is(Is::rotated) && kind.getA() == axis)
    kind = KindAttr::getRotated(read, kind.getB(), kind.getRope());
  return expectResult(*this, Wanted(replaced(x.getAxes(), axis, read),
                                    x.getElementType(), kind, x.getWhole()));
}
