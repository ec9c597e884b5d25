//===- Combine.h - what atom, red and redux compute -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_OPERATIONS_COMBINE_H
#define NVEMU_EXEC_OPERATIONS_COMBINE_H

#include "../../ptx/Ptx.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace nvemu {

enum class Combine : uint8_t { And, Or, Xor, Exch, Cas, Add, Inc, Dec, Min, Max };

std::optional<Combine> combineNamed(std::string_view);

/// The new contents of a location with `old`, all as bits of `type` (at most 64;
/// F16x2 and BF16x2: both halves). `c` is cas's third operand. `flush`: an f32 sum
/// takes and gives zeros for subnormal numbers, as atom.add.f32 of global memory
/// does (PTX ISA, "atom").
uint64_t combine(Combine operation, ptx::Type type, bool flush, uint64_t old, uint64_t b, uint64_t c);

} // namespace nvemu

#endif // NVEMU_EXEC_OPERATIONS_COMBINE_H
