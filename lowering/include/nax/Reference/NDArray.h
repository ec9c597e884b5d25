//===- NDArray.h - float64 arrays with named axes -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// What the reference evaluator computes with: row-major, dense, one number a
// place. A Walk goes through the points of some axes and says, for each of a
// few arrays, where the point lies in it; an array that lacks an axis stays
// where it is (it is broadcast). All loops of the evaluator are Walks, so no
// operation counts dimensions.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_REFERENCE_NDARRAY_H
#define NAX_REFERENCE_NDARRAY_H

#include "nax/Dialect/Nax/IR/Nax.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace nax::reference {

using Axes = llvm::SmallVector<AxisAttr, 6>;
using AxesRef = llvm::ArrayRef<AxisAttr>;

/// Axes and how long each is in this evaluation.
struct Shape {
  Axes axes;
  llvm::SmallVector<int64_t, 6> sizes;

  int64_t rank() const { return axes.size(); }
  /// The place of `axis`, or -1.
  int64_t indexOf(AxisAttr axis) const;
  bool has(AxisAttr axis) const { return indexOf(axis) >= 0; }
  int64_t sizeOf(AxisAttr axis) const { return sizes[indexOf(axis)]; }
  /// How far apart two neighbours along `axis` lie; 0 if the shape lacks it.
  int64_t strideOf(AxisAttr axis) const;
  int64_t count() const;

  Shape without(AxesRef gone) const;
  Shape with(AxisAttr axis, int64_t size) const;
  /// The same places under another name.
  Shape renamed(AxisAttr from, AxisAttr to) const;
};

/// Numbers and booleans (0 or 1) are in `numbers`, i32 and i64 in `integers`.
struct NDArray : Shape {
  bool integral = false;
  std::vector<double> numbers;
  std::vector<int64_t> integers;

  NDArray() = default;
  explicit NDArray(Shape shape, bool integral = false);

  double &operator[](int64_t place) { return numbers[place]; }
  double operator[](int64_t place) const { return numbers[place]; }

  /// The array itself under another name.
  NDArray relabelled(AxisAttr from, AxisAttr to) &&;
};

/// The sizes that the inputs of one call gave to the axes.
class Extents {
public:
  /// False if the axis has another size already.
  bool set(AxisAttr axis, int64_t size);
  /// -1 if nothing says how long the axis is.
  int64_t get(AxisAttr axis) const;
  Shape shapeOf(AxesRef axes) const;

private:
  llvm::DenseMap<AxisAttr, int64_t> sizes;
};

/// All points of a shape, the last axis fastest.
template <size_t N>
class Walk {
public:
  using Places = std::array<int64_t, N>;

  Walk(const Shape &points, std::array<const Shape *, N> arrays)
      : sizes(points.sizes) {
    for (AxisAttr axis : points.axes) {
      Places stride;
      for (size_t a = 0; a < N; ++a)
        stride[a] = arrays[a]->strideOf(axis);
      strides.push_back(stride);
    }
    // A point of no axes is one point: one step that goes nowhere.
    if (sizes.empty()) {
      sizes.push_back(1);
      strides.push_back(Places{});
    }
    empty = llvm::is_contained(sizes, 0);
  }

  /// Calls body(places) for each point, places[a] being where it lies in
  /// arrays[a], counted from `start`.
  template <typename Body>
  void run(Body &&body, Places start = Places{}) const {
    if (empty)
      return;
    const size_t last = sizes.size() - 1;
    llvm::SmallVector<int64_t, 6> counter(sizes.size(), 0);
    Places at = start;
    while (true) {
      Places inner = at;
      for (int64_t i = 0; i < sizes[last]; ++i) {
        body(static_cast<const Places &>(inner));
        for (size_t a = 0; a < N; ++a)
          inner[a] += strides[last][a];
      }
      size_t dim = last;
      while (true) {
        if (dim-- == 0)
          return;
        for (size_t a = 0; a < N; ++a)
          at[a] += strides[dim][a];
        if (++counter[dim] < sizes[dim])
          break;
        for (size_t a = 0; a < N; ++a)
          at[a] -= strides[dim][a] * sizes[dim];
        counter[dim] = 0;
      }
    }
  }

private:
  llvm::SmallVector<int64_t, 6> sizes;
  llvm::SmallVector<Places, 6> strides;
  bool empty = false;
};

/// The same values with their axes in another order.
NDArray arranged(NDArray array, AxesRef order);

} // namespace nax::reference

#endif // NAX_REFERENCE_NDARRAY_H
