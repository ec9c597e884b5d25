//===- Masks.cpp - who may read what --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Ops.h"

using namespace nax;
using namespace nax::reference;

NDArray reference::window(AxisAttr axis, int64_t size, const Extents &extents) {
  AxisAttr read = AxisAttr::getRead(axis);
  NDArray result(extents.shapeOf({axis, read}));
  int64_t length = extents.get(axis);
  for (int64_t t = 0; t < length; ++t)
    for (int64_t s = 0; s < length; ++s)
      result[t * length + s] = t - s < size;
  return result;
}

NDArray reference::past(AxisAttr axis, const Extents &extents) {
  NDArray result(extents.shapeOf({axis, AxisAttr::getRead(axis)}));
  int64_t length = extents.get(axis);
  for (int64_t t = 0; t < length; ++t)
    for (int64_t s = 0; s <= t; ++s)
      result[t * length + s] = 1;
  return result;
}

NDArray reference::prefix(AxisAttr axis, int64_t size, const Extents &extents) {
  NDArray result(extents.shapeOf({AxisAttr::getRead(axis)}));
  for (int64_t s = 0; s < result.count(); ++s)
    result[s] = s < size;
  return result;
}

NDArray reference::shorterThan(const NDArray &lengths, AxisAttr axis,
                               const Extents &extents) {
  AxisAttr read = AxisAttr::getRead(axis);
  Shape keys = extents.shapeOf({read});
  NDArray result(lengths.with(read, extents.get(read)));
  Walk<3>(result, {&result, &lengths, &keys}).run([&](const auto &at) {
    result[at[0]] = at[2] < lengths.integers[at[1]];
  });
  return result;
}

NDArray reference::sameDocument(const NDArray &documents, AxisAttr axis) {
  AxisAttr read = AxisAttr::getRead(axis);
  Shape ofKey = documents.renamed(axis, read);
  NDArray result(documents.with(read, documents.sizeOf(axis)));
  Walk<3>(result, {&result, &documents, &ofKey}).run([&](const auto &at) {
    result[at[0]] = documents.integers[at[1]] == documents.integers[at[2]];
  });
  return result;
}

/// A point for each point of both.
static NDArray joined(const NDArray &x, const NDArray &y,
                      llvm::function_ref<bool(bool, bool)> rule) {
  Shape points = x;
  for (auto [axis, size] : llvm::zip(y.axes, y.sizes))
    if (!points.has(axis))
      points = points.with(axis, size);
  NDArray result(points);
  Walk<3>(points, {&result, &x, &y}).run([&](const auto &at) {
    result[at[0]] = rule(x[at[1]], y[at[2]]);
  });
  return result;
}

NDArray reference::both(const NDArray &x, const NDArray &y) {
  return joined(x, y, [](bool a, bool b) { return a && b; });
}

NDArray reference::either(const NDArray &x, const NDArray &y) {
  return joined(x, y, [](bool a, bool b) { return a || b; });
}

NDArray reference::negated(NDArray x) {
  return unary(std::move(x),
               [](double allowed) { return allowed ? 0.0 : 1.0; });
}
