//===- Layout.h - where the variables of a module lie -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_JIT_LAYOUT_H
#define NVEMU_JIT_LAYOUT_H

#include "Jit.h"

#include <set>

namespace nvemu::jit {

/// The address of a function is a number of ours, functionBase + 16 * its place
/// in Layout::addressTaken: an indirect call is a switch over these, so that a
/// bad pointer is a report and not a jump.
inline constexpr uint64_t functionBase = 0x0003'0000'0000'0000;

/// What a function needs, what it calls included.
struct FunctionUse {
  std::set<const ptx::Variable *> shared;
  std::set<const ptx::Function *> calls;
  bool callsPointers = false;
  bool recursive = false;
};

struct Layout {
  /// Host addresses of .global and .const variables, offsets of sized .shared
  /// ones. One offset serves all kernels, since a device function has one code;
  /// variables that no kernel uses together may overlap.
  std::map<const ptx::Variable *, uint64_t> addresses;
  std::map<const ptx::Function *, FunctionUse> uses;
  std::vector<const ptx::Function *> addressTaken;
  /// Definitions where there are any, else declarations.
  std::map<std::string, const ptx::Function *, std::less<>> functions;
  std::map<std::string, const ptx::Variable *, std::less<>> variables;

  uint64_t functionAddress(const ptx::Function *) const; // 0: never taken
};

/// false, and `error` is `line 12: what is wrong`. Memory that was allocated is
/// appended to `memory` in either case.
bool layOut(Code &code, Layout &layout, std::vector<void *> &memory, std::string &error);

/// An offset at or after `offset` that is a multiple of `alignment` (0 is 1).
uint64_t alignUp(uint64_t offset, uint64_t alignment);

/// Sized by the launch, or defined in another module.
bool isDynamic(const ptx::Variable &);

} // namespace nvemu::jit

#endif // NVEMU_JIT_LAYOUT_H
