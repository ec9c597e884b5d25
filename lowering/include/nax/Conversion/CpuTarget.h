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

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace nax {

struct CpuTarget {
  llvm::StringRef name;     ///< "v2", "v3", "v4", "v4+", "amx", "neon"
  llvm::StringRef arch;     ///< of the triple: "x86_64", "aarch64"
  llvm::StringRef llvmCpu;  ///< "x86-64-v3"
  llvm::StringRef features; ///< "+avx512vnni,..."
  int64_t number;           ///< nax_cpu of the runtime's model_desc.h
  int64_t vectors;          ///< of 16 lanes, that the registers hold
  bool hasFma;              ///< else a product and a sum, each rounded
  bool hasF16;              ///< converts f16 to f32 and back
  bool hasVnni;             ///< products of int8 summed up as i32
  bool hasBf16;             ///< products of bf16 summed up as f32
  bool hasTiles;            ///< the same on tiles of 16 rows
  int64_t mr;               ///< rows of a tile
  int64_t nr;               ///< columns of a tile, the width of a panel
  int64_t blockNr;          ///< the same where panels are quantised

  bool isX86() const { return arch == "x86_64"; }

  /// From the least to the best; "neon" stands for itself.
  static llvm::ArrayRef<CpuTarget> all() {
    static constexpr CpuTarget targets[] = {
        // SSE4.2: 16 registers of 4 lanes.
        {"v2", "x86_64", "x86-64-v2", "", 2, 4, false, false, false, false,
         false, 2, 16, 16},
        // AVX2 and FMA: 16 registers of 8 lanes.
        {"v3", "x86_64", "x86-64-v3", "", 3, 8, true, true, false, false, false,
         6, 16, 16},
        // AVX-512: 32 registers of 16 lanes.
        {"v4", "x86_64", "x86-64-v4", "", 4, 32, true, true, false, false,
         false, 6, 64, 48},
        {"v4+", "x86_64", "x86-64-v4", "+avx512vnni,+avx512bf16", 5, 32, true,
         true, true, true, false, 6, 64, 48},
        // Tiles of AMX for pairs of bf16, v4+ for all else.
        {"amx", "x86_64", "x86-64-v4",
         "+avx512vnni,+avx512bf16,+amx-tile,+amx-bf16", 6, 32, true, true, true,
         true, true, 6, 64, 48},
        // 32 registers of 4 lanes.
        {"neon", "aarch64", "generic", "", 16, 8, true, true, false, false,
         false, 6, 16, 16},
    };
    return targets;
  }

  static std::optional<CpuTarget> get(llvm::StringRef name) {
    for (const CpuTarget &target : all())
      if (target.name == name)
        return target;
    return std::nullopt;
  }

  /// What an error lists.
  static constexpr llvm::StringLiteral names = "v2, v3, v4, v4+, amx or neon";
};

} // namespace nax

#endif // NAX_CONVERSION_CPUTARGET_H
