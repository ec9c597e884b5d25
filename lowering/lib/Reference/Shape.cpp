//===- Shape.cpp - products and concats -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Ops.h"

using namespace nax;
using namespace nax::reference;

/// A product is row-major, so its factors in its place are the same memory.
NDArray reference::split(NDArray x, AxisAttr product, const Extents &extents) {
  int64_t index = x.indexOf(product);
  Shape factors = extents.shapeOf(product.getParts());
  x.axes.erase(x.axes.begin() + index);
  x.sizes.erase(x.sizes.begin() + index);
  x.axes.insert(x.axes.begin() + index, factors.axes.begin(),
                factors.axes.end());
  x.sizes.insert(x.sizes.begin() + index, factors.sizes.begin(),
                 factors.sizes.end());
  return x;
}

/// [x's axes less the factors, then the product]
NDArray reference::merge(const NDArray &x, AxisAttr product) {
  Shape shape = x.without(product.getParts());
  int64_t size = 1;
  Axes order = shape.axes;
  for (AxisAttr factor : product.getParts()) {
    order.push_back(factor);
    size *= x.sizeOf(factor);
  }
  NDArray result = arranged(x, order);
  Shape merged = shape.with(product, size);
  result.axes = merged.axes;
  result.sizes = merged.sizes;
  return result;
}

/// How far along a concat one of its parts starts.
static int64_t startOf(AxisAttr concat, AxisAttr part, const Extents &extents) {
  int64_t start = 0;
  for (AxisAttr before : concat.getParts()) {
    if (before == part)
      break;
    start += extents.get(before);
  }
  return start;
}

static void copy(const NDArray &from, NDArray &to, const Shape &points,
                 const Shape &fromView, int64_t fromStart, const Shape &toView,
                 int64_t toStart) {
  Walk<2>(points, {&fromView, &toView})
      .run(
          [&](const auto &at) {
            if (from.integral)
              to.integers[at[1]] = from.integers[at[0]];
            else
              to[at[1]] = from[at[0]];
          },
          {fromStart, toStart});
}

NDArray reference::part(const NDArray &x, AxisAttr concat, AxisAttr part,
                        const Extents &extents) {
  Shape shape = x.renamed(concat, part);
  shape.sizes[shape.indexOf(part)] = extents.get(part);
  NDArray result(shape, x.integral);
  // Seen as standing on `part`, x keeps its own, larger strides.
  copy(x, result, shape, x.renamed(concat, part),
       startOf(concat, part, extents) * x.strideOf(concat), result, 0);
  return result;
}

NDArray reference::concat(llvm::ArrayRef<const NDArray *> pieces,
                          AxisAttr concat, const Extents &extents) {
  AxesRef parts = concat.getParts();
  Shape shape = pieces.front()->renamed(parts.front(), concat);
  shape.sizes[shape.indexOf(concat)] = extents.get(concat);
  NDArray result(shape, pieces.front()->integral);
  for (auto [piece, part] : llvm::zip(pieces, parts))
    copy(*piece, result, *piece, *piece, 0, result.renamed(concat, part),
         startOf(concat, part, extents) * result.strideOf(concat));
  return result;
}
