//===- Compare.cpp - two results of one model -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Compare.h"

#include "Values.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace llvm;
using namespace nax;
using namespace nax::driver;

static double numberAt(const reference::NDArray &array, int64_t place) {
  return array.integral ? double(array.integers[place]) : array[place];
}

Distance nax::driver::distanceOf(const ModelBuffer &buffer, const void *got,
                                 const reference::NDArray &want) {
  Distance distance;
  for (int64_t i = 0, count = want.count(); i < count; ++i) {
    double mine = valueAt(buffer.dtype, got, i), right = numberAt(want, i);
    if (std::isfinite(right)) {
      distance.largest = std::max(distance.largest, std::abs(right));
      ++distance.finite;
    }
    bool same = mine == right || (std::isnan(mine) && std::isnan(right));
    double apart = same ? 0 : std::abs(mine - right);
    if (!std::isfinite(apart))
      apart = std::numeric_limits<double>::infinity();
    if (apart > distance.apart) {
      distance.apart = apart;
      distance.worst = i;
    }
  }
  return distance;
}

static int64_t strideOf(ArrayRef<int64_t> shape, int64_t dim) {
  int64_t stride = 1;
  for (int64_t size : shape.drop_front(dim + 1))
    stride *= size;
  return stride;
}

static int64_t countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

int64_t nax::driver::firstDifference(const ModelBuffer &buffer,
                                     ArrayRef<int64_t> shape, const void *one,
                                     const void *other, int64_t dim,
                                     int64_t before) {
  int64_t bytes = sizeOf(buffer.dtype);
  int64_t stride = dim < 0 ? 1 : strideOf(shape, dim);
  for (int64_t i = 0, count = countOf(shape); i < count; ++i) {
    if (dim >= 0 && i / stride % shape[dim] >= before)
      continue;
    if (memcmp(static_cast<const char *>(one) + i * bytes,
               static_cast<const char *>(other) + i * bytes, bytes) != 0)
      return i;
  }
  return -1;
}

std::vector<double> nax::driver::changeAlong(const ModelBuffer &buffer,
                                             ArrayRef<int64_t> shape,
                                             const void *one, const void *other,
                                             int64_t dim) {
  std::vector<double> changes(shape[dim], 0.0);
  int64_t stride = strideOf(shape, dim);
  for (int64_t i = 0, count = countOf(shape); i < count; ++i) {
    double change = std::abs(valueAt(buffer.dtype, one, i) -
                             valueAt(buffer.dtype, other, i));
    double &largest = changes[i / stride % shape[dim]];
    largest = std::max(largest, change);
  }
  return changes;
}

std::string nax::driver::formatIndex(ArrayRef<int64_t> index) {
  std::vector<std::string> places;
  for (int64_t place : index)
    places.push_back(std::to_string(place));
  return "[" + join(places, ",") + "]";
}

std::string nax::driver::formatIndex(ArrayRef<int64_t> shape, int64_t place) {
  SmallVector<int64_t, 4> index;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    index.push_back(place / strideOf(shape, dim) % shape[dim]);
  return formatIndex(index);
}

void Report::add(std::string what, std::string found, bool good) {
  rows.push_back({std::move(what), std::move(found), good ? "ok" : "FAILED"});
  allGood &= good;
}

void Report::explain(std::string line) {
  rows.push_back({"", std::move(line), ""});
}

void Report::print(raw_ostream &os) const {
  size_t whatWidth = 0, foundWidth = 0;
  for (const Row &row : rows) {
    if (row.verdict.empty())
      continue;
    whatWidth = std::max(whatWidth, row.what.size());
    foundWidth = std::max(foundWidth, row.found.size());
  }
  for (const Row &row : rows) {
    if (row.verdict.empty())
      os << "    " << row.found << "\n";
    else
      os << "  " << left_justify(row.what, whatWidth + 2)
         << left_justify(row.found, foundWidth + 2) << row.verdict << "\n";
  }
}
