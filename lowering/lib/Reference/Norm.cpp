//===- Norm.cpp - normalisations ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Ops.h"

#include <cmath>

using namespace nax;
using namespace nax::reference;

static Shape shapeOf(const NDArray &x, AxesRef axes) {
  Shape shape;
  for (AxisAttr axis : axes)
    shape = shape.with(axis, x.sizeOf(axis));
  return shape;
}

NDArray reference::rmsNorm(NDArray x, const NDArray &gain, AxesRef over,
                           double eps, bool onePlus) {
  Shape group = shapeOf(x, over);
  Walk<2> members(group, {&x, &gain});
  Walk<2>(x.without(over), {&x, &gain}).run([&](const auto &start) {
    double squares = 0;
    members.run([&](const auto &at) { squares += x[at[0]] * x[at[0]]; }, start);
    double root = std::sqrt(squares / group.count() + eps);
    members.run(
        [&](const auto &at) {
          x[at[0]] = x[at[0]] / root * (gain[at[1]] + (onePlus ? 1 : 0));
        },
        start);
  });
  return x;
}

NDArray reference::layerNorm(NDArray x, const NDArray &gain,
                             const NDArray *shift, AxesRef over, double eps) {
  Shape group = shapeOf(x, over);
  const NDArray &added = shift ? *shift : gain;
  Walk<3> members(group, {&x, &gain, &added});
  Walk<3>(x.without(over), {&x, &gain, &added}).run([&](const auto &start) {
    double sum = 0, squares = 0;
    members.run([&](const auto &at) { sum += x[at[0]]; }, start);
    double mean = sum / group.count();
    members.run(
        [&](const auto &at) {
          squares += (x[at[0]] - mean) * (x[at[0]] - mean);
        },
        start);
    double deviation = std::sqrt(squares / group.count() + eps);
    members.run(
        [&](const auto &at) {
          x[at[0]] = (x[at[0]] - mean) / deviation * gain[at[1]] +
                     (shift ? added[at[2]] : 0);
        },
        start);
  });
  return x;
}
