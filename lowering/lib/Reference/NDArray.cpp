//===- NDArray.cpp - float64 arrays with named axes -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Reference/NDArray.h"

#include "llvm/ADT/STLExtras.h"

using namespace nax;
using namespace nax::reference;

int64_t Shape::indexOf(AxisAttr axis) const {
  const AxisAttr *it = llvm::find(axes, axis);
  return it == axes.end() ? -1 : it - axes.begin();
}

int64_t Shape::strideOf(AxisAttr axis) const {
  int64_t index = indexOf(axis);
  if (index < 0)
    return 0;
  int64_t stride = 1;
  for (int64_t inner = index + 1; inner < rank(); ++inner)
    stride *= sizes[inner];
  return stride;
}

int64_t Shape::count() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

Shape Shape::without(AxesRef gone) const {
  Shape result;
  for (auto [axis, size] : llvm::zip(axes, sizes)) {
    if (llvm::is_contained(gone, axis))
      continue;
    result.axes.push_back(axis);
    result.sizes.push_back(size);
  }
  return result;
}

Shape Shape::with(AxisAttr axis, int64_t size) const {
  Shape result = *this;
  result.axes.push_back(axis);
  result.sizes.push_back(size);
  return result;
}

Shape Shape::renamed(AxisAttr from, AxisAttr to) const {
  Shape result = *this;
  llvm::replace(result.axes, from, to);
  return result;
}

NDArray::NDArray(Shape shape, bool integral)
    : Shape(std::move(shape)), integral(integral) {
  if (integral)
    integers.resize(count());
  else
    numbers.resize(count());
}

NDArray NDArray::relabelled(AxisAttr from, AxisAttr to) && {
  llvm::replace(axes, from, to);
  return std::move(*this);
}

bool Extents::set(AxisAttr axis, int64_t size) {
  int64_t known = get(axis);
  if (known >= 0)
    return known == size;
  sizes[axis.getBase()] = size;
  return true;
}

int64_t Extents::get(AxisAttr axis) const {
  axis = axis.getBase();
  if (axis.hasStaticSize())
    return axis.getStaticSize();
  auto known = sizes.find(axis);
  if (known != sizes.end())
    return known->second;
  if (!axis.isProduct() && !axis.isConcat())
    return -1;
  int64_t total = axis.isProduct() ? 1 : 0;
  for (AxisAttr part : axis.getParts()) {
    int64_t size = get(part);
    if (size < 0)
      return -1;
    total = axis.isProduct() ? total * size : total + size;
  }
  return total;
}

Shape Extents::shapeOf(AxesRef axes) const {
  Shape shape;
  for (AxisAttr axis : axes) {
    shape.axes.push_back(axis);
    shape.sizes.push_back(get(axis));
  }
  return shape;
}

NDArray reference::arranged(NDArray array, AxesRef order) {
  if (AxesRef(array.axes) == order)
    return array;
  Shape shape;
  for (AxisAttr axis : order) {
    shape.axes.push_back(axis);
    shape.sizes.push_back(array.sizeOf(axis));
  }
  NDArray result(shape, array.integral);
  Walk<2>(shape, {&array, &result}).run([&](const auto &at) {
    if (array.integral)
      result.integers[at[1]] = array.integers[at[0]];
    else
      result[at[1]] = array[at[0]];
  });
  return result;
}
