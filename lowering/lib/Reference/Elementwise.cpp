//===- Elementwise.cpp - one element in, one element out ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Ops.h"

#include <cmath>
#include <numbers>

using namespace nax;
using namespace nax::reference;

double reference::silu(double x) { return x / (1 + std::exp(-x)); }

double reference::sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double reference::gelu(double x) {
  return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
}

double reference::geluTanh(double x) {
  double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + std::tanh(inner));
}

/// The axes of one side contain the other's; x's order if they are equal.
NDArray reference::binary(const NDArray &x, const NDArray &y,
                          llvm::function_ref<double(double, double)> function) {
  const NDArray &larger = y.rank() > x.rank() ? y : x;
  NDArray result(larger, x.integral);
  Walk<3>(larger, {&result, &x, &y}).run([&](const auto &at) {
    if (x.integral)
      result.integers[at[0]] =
          int64_t(function(x.integers[at[1]], y.integers[at[2]]));
    else
      result[at[0]] = function(x[at[1]], y[at[2]]);
  });
  return result;
}

NDArray reference::unary(NDArray x,
                         llvm::function_ref<double(double)> function) {
  for (double &value : x.numbers)
    value = function(value);
  for (int64_t &value : x.integers)
    value = int64_t(function(value));
  return x;
}

/// Towards zero; the nearest of the whole numbers of so many bits, 0 for NaN.
static int64_t wholeNumber(double x, int bits) {
  double past = std::ldexp(1.0, bits - 1);
  int64_t largest = int64_t((uint64_t(1) << (bits - 1)) - 1);
  if (std::isnan(x))
    return 0;
  return x >= past ? largest : x < -past ? -largest - 1 : int64_t(x);
}

/// The same numbers as whole ones, or as float64, which holds whole ones up to
/// 2^53.
NDArray reference::converted(const NDArray &x, bool integral) {
  NDArray result(x, integral);
  for (int64_t place = 0, count = x.count(); place < count; ++place) {
    if (integral)
      result.integers[place] =
          x.integral ? x.integers[place] : wholeNumber(x[place], 64);
    else
      result[place] = x.integral ? double(x.integers[place]) : x[place];
  }
  return result;
}

/// Types of fewer bits are not rounded to: what is compared with this is
/// allowed their error.
NDArray reference::cast(NDArray x, mlir::Type to) {
  bool integral = to.isInteger(32) || to.isInteger(64);
  // The upper bits go.
  if (to.isInteger(32))
    for (int64_t &value : x.integers)
      value = int32_t(value);
  if (integral == x.integral && !to.isInteger(1))
    return x;
  NDArray result = converted(x, integral);
  if (to.isInteger(32))
    for (int64_t place = 0, count = x.count(); place < count; ++place)
      result.integers[place] = wholeNumber(x[place], 32);
  if (to.isInteger(1))
    for (double &value : result.numbers)
      value = value != 0;
  return result;
}

NDArray reference::spread(const NDArray &x, AxisAttr axis,
                          const Extents &extents) {
  NDArray result(x.with(axis, extents.get(axis)), x.integral);
  Walk<2>(result, {&result, &x}).run([&](const auto &at) {
    if (x.integral)
      result.integers[at[0]] = x.integers[at[1]];
    else
      result[at[0]] = x[at[1]];
  });
  return result;
}

/// The compiled model draws the same bits from the same numbers.
static bool keeps(int64_t seed, int64_t site, int64_t index, double p) {
  uint64_t z = uint64_t(seed) + 0x9E3779B97F4A7C15u * (1 + uint64_t(site)) +
               0xBF58476D1CE4E5B9u * (uint64_t(index) + 1);
  z ^= z >> 30;
  z *= 0xBF58476D1CE4E5B9u;
  z ^= z >> 27;
  z *= 0x94D049BB133111EBu;
  z ^= z >> 31;
  return double(z >> 40) * 0x1p-24 >= p;
}

NDArray reference::dropout(NDArray x, int64_t seed, double p, int64_t site) {
  for (int64_t index = 0, count = x.count(); index < count; ++index)
    x[index] = keeps(seed, site, index, p) ? x[index] / (1 - p) : 0;
  return x;
}
