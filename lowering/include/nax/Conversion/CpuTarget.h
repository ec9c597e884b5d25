//===- CpuTarget.h - what the code is generated for -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Vectors are 16 lanes of f32 in the IR at every level; a narrower machine
// gets two or four registers for each. The tile keeps its accumulators and
// operands in the registers there are.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_CONVERSION_CPUTARGET_H
#define NAX_CONVERSION_CPUTARGET_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace nax {

struct CpuTarget {
  llvm::StringRef name;    ///< "v3", "v4"
  llvm::StringRef llvmCpu; ///< "x86-64-v3", "x86-64-v4"
  int64_t level;           ///< of x86-64
  int64_t mr;              ///< rows of a tile
  int64_t nr;              ///< columns of a tile, the width of a panel

  static std::optional<CpuTarget> get(llvm::StringRef name) {
    // AVX2 and FMA: 16 registers of 8 lanes.
    if (name == "v3")
      return CpuTarget{"v3", "x86-64-v3", 3, 6, 16};
    // AVX-512: 32 registers of 16 lanes.
    if (name == "v4")
      return CpuTarget{"v4", "x86-64-v4", 4, 8, 48};
    return std::nullopt;
  }
};

} // namespace nax

#endif // NAX_CONVERSION_CPUTARGET_H
