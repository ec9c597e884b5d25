//===- Contract.cpp - sums of products ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Ops.h"

using namespace nax;
using namespace nax::reference;

/// [x's axes less over, then y's axes less over that x lacks]
NDArray reference::dot(const NDArray &x, const NDArray &y, AxesRef over) {
  if (x.integral)
    return converted(dot(converted(x, false), converted(y, false), over), true);
  Shape points = x.without(over);
  Shape contracted;
  for (AxisAttr axis : over)
    contracted = contracted.with(axis, x.sizeOf(axis));
  Shape fromY = y.without(over);
  for (auto [axis, size] : llvm::zip(fromY.axes, fromY.sizes))
    if (!points.has(axis))
      points = points.with(axis, size);

  NDArray result(points);
  Walk<2> products(contracted, {&x, &y});
  Walk<3>(points, {&x, &y, &result}).run([&](const auto &at) {
    double sum = 0;
    products.run([&](const auto &place) { sum += x[place[0]] * y[place[1]]; },
                 {at[0], at[1]});
    result[at[2]] = sum;
  });
  return result;
}
