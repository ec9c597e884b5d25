//===- Contract.cpp - sums of products ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Ops.h"

using namespace nax;
using namespace nax::reference;

/// [x's axes less over, then y's axes less over that x lacks]
NDArray reference::dot(const NDArray &x, const NDArray &y, AxesRef over,
                       const NDArray *counted) {
  if (x.integral)
    return converted(
        dot(converted(x, false), converted(y, false), over, counted), true);
  Shape points = x.without(over);
  Shape contracted;
  for (AxisAttr axis : over)
    contracted = contracted.with(axis, x.sizeOf(axis));
  Shape fromY = y.without(over);
  for (auto [axis, size] : llvm::zip(fromY.axes, fromY.sizes))
    if (!points.has(axis))
      points = points.with(axis, size);

  NDArray result(points);
  NDArray all{Shape()};
  all[0] = 1;
  const NDArray &real = counted ? *counted : all;
  Walk<3> products(contracted, {&x, &y, &real});
  Walk<4>(points, {&x, &y, &real, &result}).run([&](const auto &at) {
    double sum = 0;
    products.run(
        [&](const auto &place) {
          if (real[place[2]])
            sum += x[place[0]] * y[place[1]];
        },
        {at[0], at[1], at[2]});
    result[at[3]] = sum;
  });
  return result;
}
