//===- Rope.cpp - rotation by position ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Ops.h"

#include <cmath>

using namespace nax;
using namespace nax::reference;

NDArray reference::rope(const NDArray &x, const NDArray &positions,
                        AxisAttr features, RopeAttr rope) {
  int64_t dims = rope.getDims() ? rope.getDims() : x.sizeOf(features);
  int64_t stride = x.strideOf(features);
  bool halves = rope.getPairing() == Pairing::halves;
  NDArray result = x; // components past the first `dims` stay
  Walk<2>(x.without({features}), {&x, &positions}).run([&](const auto &at) {
    double position = positions[at[1]] / rope.getScaling();
    for (int64_t i = 0; i < dims / 2; ++i) {
      double angle = position * std::pow(rope.getBase(), -2.0 * i / dims);
      int64_t first = at[0] + stride * (halves ? i : 2 * i);
      int64_t second = at[0] + stride * (halves ? i + dims / 2 : 2 * i + 1);
      double a = x[first], b = x[second];
      result[first] = a * std::cos(angle) - b * std::sin(angle);
      result[second] = b * std::cos(angle) + a * std::sin(angle);
    }
  });
  return result;
}
