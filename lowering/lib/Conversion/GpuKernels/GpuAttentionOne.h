//===- GpuAttentionOne.h - rows with one query ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_GPUKERNELS_GPUATTENTIONONE_H
#define NAX_LIB_CONVERSION_GPUKERNELS_GPUATTENTIONONE_H

#include "GpuAttention.h"

#include <limits>

namespace nax {

/// The most units of a row. One has at least one tile of keys.
inline constexpr int64_t kMaxUnits = 64;
inline constexpr double kLowestScore = std::numeric_limits<float>::lowest();

/// Of a row: unit i has `length` keys from `first + i * length` on. i32.
struct OneUnits {
  mlir::Value first, length, count;

  static OneUnits of(GpuBuilder &b, const KeyBounds &bounds, int64_t tileKeys);
};

} // namespace nax

#endif // NAX_LIB_CONVERSION_GPUKERNELS_GPUATTENTIONONE_H
