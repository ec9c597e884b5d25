//===- Attention.cpp - scores, what is done to them, weights --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Ops.h"

#include <cmath>
#include <limits>

using namespace nax;
using namespace nax::reference;

static constexpr double blocked = -std::numeric_limits<double>::infinity();

NDArray reference::read(NDArray x, AxisAttr axis) {
  return std::move(x).relabelled(axis, AxisAttr::getRead(axis));
}

NDArray reference::scores(const NDArray &q, const NDArray &k, AxisAttr over,
                          double scale) {
  return unary(dot(q, k, {over}), [&](double match) { return match * scale; });
}

NDArray reference::softcap(NDArray s, double cap) {
  return unary(std::move(s),
               [&](double x) { return cap * std::tanh(x / cap); });
}

NDArray reference::bias(const NDArray &s, const NDArray &b) {
  return binary(s, b, [](double score, double bias) { return score + bias; });
}

/// Slopes 2^(-8/n), 2^(-16/n), ... for n heads; if n is no power of two, those
/// of the power below it, then every other one of the power above it.
static std::vector<double> alibiSlopes(int64_t heads) {
  int64_t power = 1;
  while (power * 2 <= heads)
    power *= 2;
  std::vector<double> slopes;
  for (int64_t h = 0; h < power; ++h)
    slopes.push_back(std::pow(2.0, -8.0 * (h + 1) / power));
  for (int64_t h = 0; h < heads - power; ++h)
    slopes.push_back(std::pow(2.0, -8.0 * (2 * h + 1) / (2 * power)));
  return slopes;
}

NDArray reference::alibi(NDArray s, AxesRef heads, AxisAttr key,
                         const Extents &extents) {
  Shape headShape = extents.shapeOf(heads); // places are head numbers
  Shape query = extents.shapeOf({key.getBase()});
  Shape keys = extents.shapeOf({key});
  std::vector<double> slopes = alibiSlopes(headShape.count());
  Walk<4>(s, {&s, &headShape, &query, &keys}).run([&](const auto &at) {
    s[at[0]] -= slopes[at[1]] * std::abs(double(at[2] - at[3]));
  });
  return s;
}

NDArray reference::causalMask(NDArray s, AxisAttr key) {
  Shape query = Shape().with(key.getBase(), s.sizeOf(key.getBase()));
  Shape keys = Shape().with(key, s.sizeOf(key));
  Walk<3>(s, {&s, &query, &keys}).run([&](const auto &at) {
    if (at[2] > at[1])
      s[at[0]] = blocked;
  });
  return s;
}

NDArray reference::mask(NDArray s, const NDArray &allowed) {
  Walk<2>(s, {&s, &allowed}).run([&](const auto &at) {
    if (!allowed[at[1]])
      s[at[0]] = blocked;
  });
  return s;
}

NDArray reference::softmax(NDArray x, AxisAttr along, const NDArray *readable) {
  if (readable)
    x = mask(std::move(x), *readable);
  Shape rows = x.without({along});
  Walk<1> row(Shape().with(along, x.sizeOf(along)), {&x});
  Walk<1>(rows, {&x}).run([&](const auto &start) {
    double largest = blocked;
    row.run([&](const auto &at) { largest = std::max(largest, x[at[0]]); },
            start);
    double sum = 0;
    row.run(
        [&](const auto &at) {
          double &value = x[at[0]];
          value = value == blocked ? 0 : std::exp(value - largest);
          sum += value;
        },
        start);
    // A row in which nothing may be read stays a row of zeros.
    if (sum != 0)
      row.run([&](const auto &at) { x[at[0]] /= sum; }, start);
  });
  return x;
}
