//===- Positions.cpp - what the data of an axis says about its positions --===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// An axis T may come with data: how long each row is (ragged), where it starts
// (left-padded), or which document each position belongs to (packed). The
// first two stand on the row axes alone, documents on [row axes, T].
//
//===----------------------------------------------------------------------===//

#include "Ops.h"

using namespace nax;
using namespace nax::reference;

namespace {

/// The data of one axis, spread over the points [row axes, T].
struct Positions {
  Positions(AxisAttr axis, const NDArray *data, const Extents &extents)
      : axis(axis.getBase()), data(data), length(extents.get(axis)) {
    if (data)
      points = data->without({this->axis});
    points = points.with(this->axis, length);
  }

  /// Fills an array over `points` with value(t, row): t is the position, row
  /// the place of its row (of position 0 in it, if packed) in the data.
  template <typename Value>
  NDArray fill(Value value) const {
    NDArray result(points);
    Shape alongAxis = Shape().with(axis, length);
    Shape rows = data ? data->renamed(axis, AxisAttr()) : Shape();
    Walk<3>(points, {&result, &alongAxis, &rows}).run([&](const auto &at) {
      result[at[0]] = value(at[1], at[2]);
    });
    return result;
  }

  /// Never continued: a derived function has nothing to be compared with.
  AxisData kind() const { return data ? axis.getData() : AxisData::all; }
  int64_t dataAt(int64_t place) const { return data->integers[place]; }
  /// The document of position t in the row at `row`; T is innermost or not.
  int64_t documentAt(int64_t row, int64_t t) const {
    return dataAt(row + t * data->strideOf(axis));
  }

  AxisAttr axis;
  const NDArray *data;
  int64_t length;
  Shape points;
};

} // namespace

NDArray reference::positionsOf(AxisAttr axis, const NDArray *data,
                               const Extents &extents) {
  Positions positions(axis, data, extents);
  NDArray result = positions.fill([&](int64_t t, int64_t row) -> double {
    switch (positions.kind()) {
    case AxisData::all:
    case AxisData::ragged:
    case AxisData::continued:
      return t;
    case AxisData::left_padded:
      return t - positions.dataAt(row);
    case AxisData::packed: {
      int64_t start = t;
      while (start > 0 && positions.documentAt(row, start - 1) ==
                              positions.documentAt(row, t))
        --start;
      return t - start;
    }
    }
    return t;
  });
  return std::move(result).relabelled(positions.axis, axis);
}

NDArray reference::realOf(AxisAttr axis, const NDArray *data,
                          const Extents &extents) {
  Positions positions(axis, data, extents);
  NDArray result = positions.fill([&](int64_t t, int64_t row) -> double {
    switch (positions.kind()) {
    case AxisData::all:
    case AxisData::packed:
    case AxisData::continued:
      return 1;
    case AxisData::ragged:
      return t < positions.dataAt(row);
    case AxisData::left_padded:
      return t >= positions.dataAt(row);
    }
    return 1;
  });
  return std::move(result).relabelled(positions.axis, axis);
}

NDArray reference::hasNext(AxisAttr axis, const NDArray *data,
                           const Extents &extents) {
  Positions positions(axis, data, extents);
  return positions.fill([&](int64_t t, int64_t row) -> double {
    if (t + 1 >= positions.length)
      return 0;
    switch (positions.kind()) {
    case AxisData::all:
    case AxisData::continued:
      return 1;
    case AxisData::ragged:
      return t + 1 < positions.dataAt(row);
    case AxisData::left_padded:
      return t >= positions.dataAt(row);
    case AxisData::packed:
      return positions.documentAt(row, t) == positions.documentAt(row, t + 1);
    }
    return 1;
  });
}

NDArray reference::readableOf(AxisAttr read, const NDArray *data,
                              const Extents &extents) {
  if (data && read.getBaseData() == AxisData::packed)
    return sameDocument(*data, read.getBase());
  return realOf(read, data, extents);
}
