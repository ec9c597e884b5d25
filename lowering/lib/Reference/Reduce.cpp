//===- Reduce.cpp - one number out of many --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Ops.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace nax;
using namespace nax::reference;

static Shape shapeOf(const NDArray &x, AxesRef axes) {
  Shape shape;
  for (AxisAttr axis : axes)
    shape = shape.with(axis, x.sizeOf(axis));
  return shape;
}

/// finish(fold of the counted elements, how many there are) for each group.
template <typename Fold, typename Finish>
static NDArray reduce(const NDArray &x, AxesRef over, const NDArray *counted,
                      double start, Fold fold, Finish finish) {
  NDArray always{Shape()};
  always[0] = 1;
  const NDArray &counts = counted ? *counted : always;

  NDArray result(x.without(over));
  Walk<2> members(shapeOf(x, over), {&x, &counts});
  Walk<3>(result, {&x, &counts, &result}).run([&](const auto &group) {
    double folded = start;
    int64_t count = 0;
    members.run(
        [&](const auto &at) {
          if (!counts[at[1]])
            return;
          folded = fold(folded, x[at[0]]);
          ++count;
        },
        {group[0], group[1]});
    result[group[2]] = finish(folded, count);
  });
  return result;
}

static double add(double a, double b) { return a + b; }

NDArray reference::sum(const NDArray &x, AxesRef over, const NDArray *counted) {
  if (x.integral)
    return converted(sum(converted(x, false), over, counted), true);
  return reduce(x, over, counted, 0, add,
                [](double sum, int64_t) { return sum; });
}

NDArray reference::mean(const NDArray &x, AxesRef over,
                        const NDArray *counted) {
  return reduce(x, over, counted, 0, add, [](double sum, int64_t count) {
    return count ? sum / double(count) : 0;
  });
}

NDArray reference::max(const NDArray &x, AxesRef over, const NDArray *counted) {
  return reduce(
      x, over, counted, -std::numeric_limits<double>::infinity(),
      [](double a, double b) { return std::max(a, b); },
      [](double largest, int64_t count) { return count ? largest : 0; });
}

/// The element at the position that `better` prefers among the real ones; 0
/// where a row has none.
static NDArray endOf(const NDArray &x, AxisAttr axis, const NDArray &real,
                     bool last) {
  NDArray result(x.without({axis}), x.integral);
  int64_t length = x.sizeOf(axis);
  Walk<3>(result, {&x, &real, &result}).run([&](const auto &at) {
    for (int64_t step = 0; step < length; ++step) {
      int64_t t = last ? length - 1 - step : step;
      if (!real[at[1] + t * real.strideOf(axis)])
        continue;
      int64_t place = at[0] + t * x.strideOf(axis);
      if (x.integral)
        result.integers[at[2]] = x.integers[place];
      else
        result[at[2]] = x[place];
      return;
    }
  });
  return result;
}

NDArray reference::last(const NDArray &x, AxisAttr axis, const NDArray &real) {
  return endOf(x, axis, real, /*last=*/true);
}

NDArray reference::first(const NDArray &x, AxisAttr axis, const NDArray &real) {
  return endOf(x, axis, real, /*last=*/false);
}

/// Places along `over` by falling value; of equal ones the first comes first.
/// A NaN counts as -inf.
static std::vector<int64_t> ranking(const NDArray &x, AxisAttr over,
                                    int64_t start, int64_t count) {
  std::vector<int64_t> order(x.sizeOf(over));
  std::iota(order.begin(), order.end(), 0);
  auto valueAt = [&, stride = x.strideOf(over)](int64_t place) {
    double value = x[start + place * stride];
    return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
  };
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](int64_t a, int64_t b) {
                      double left = valueAt(a), right = valueAt(b);
                      return left != right ? left > right : a < b;
                    });
  return order;
}

NDArray reference::argmax(const NDArray &x, AxisAttr over) {
  NDArray result(x.without({over}), /*integral=*/true);
  Walk<2>(result, {&x, &result}).run([&](const auto &at) {
    result.integers[at[1]] = ranking(x, over, at[0], 1).front();
  });
  return result;
}

/// [x's axes less V, then k]
NDArray reference::topK(const NDArray &x, AxisAttr over, AxisAttr k) {
  int64_t count = k.getStaticSize();
  Shape groups = x.without({over});
  NDArray result(groups.with(k, count), /*integral=*/true);
  Walk<2>(groups, {&x, &result}).run([&](const auto &at) {
    std::vector<int64_t> order = ranking(x, over, at[0], count);
    for (int64_t place = 0; place < count; ++place)
      result.integers[at[1] + place] = order[place];
  });
  return result;
}
