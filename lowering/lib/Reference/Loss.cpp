//===- Loss.cpp - labels and how well they were predicted -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Ops.h"

#include <cmath>
#include <limits>

using namespace nax;
using namespace nax::reference;

/// The last position has no successor and holds 0, which no loss counts.
NDArray reference::next(const NDArray &ids, AxisAttr axis) {
  NDArray result(ids, /*integral=*/true);
  Shape positions = Shape().with(axis, ids.sizeOf(axis));
  Walk<2>(ids, {&ids, &positions}).run([&](const auto &at) {
    if (at[1] + 1 < ids.sizeOf(axis))
      result.integers[at[0]] = ids.integers[at[0] + ids.strideOf(axis)];
  });
  return std::move(result).relabelled(axis, AxisAttr::getNext(axis));
}

std::optional<NDArray> reference::crossEntropy(const NDArray &logits,
                                               const NDArray &labels,
                                               AxisAttr over,
                                               const NDArray *labelled,
                                               int64_t &outside) {
  // A label on Next<T> belongs to the logits at T.
  Shape labelPlaces = labels;
  for (AxisAttr &axis : labelPlaces.axes)
    axis = axis.isNext() ? axis.getBase() : axis;
  NDArray always{Shape()};
  always[0] = 1;
  const NDArray &counts = labelled ? *labelled : always;

  NDArray result(logits.without({over}));
  Walk<1> classes(Shape().with(over, logits.sizeOf(over)), {&logits});
  bool inside = true;
  Walk<4>(result, {&logits, &labelPlaces, &counts, &result})
      .run([&](const auto &at) {
        if (!counts[at[2]])
          return;
        int64_t label = labels.integers[at[1]];
        if (label < 0 || label >= logits.sizeOf(over)) {
          inside = false;
          outside = label;
          return;
        }
        double largest = -std::numeric_limits<double>::infinity(), sum = 0;
        classes.run(
            [&](const auto &place) {
              largest = std::max(largest, logits[place[0]]);
            },
            {at[0]});
        classes.run(
            [&](const auto &place) {
              sum += std::exp(logits[place[0]] - largest);
            },
            {at[0]});
        double chosen = logits[at[0] + label * logits.strideOf(over)];
        result[at[3]] = largest + std::log(sum) - chosen;
      });
  if (!inside)
    return std::nullopt;
  return result;
}
