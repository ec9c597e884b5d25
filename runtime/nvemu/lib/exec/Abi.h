//===- Abi.h - what translated code and the emulator call each other with -===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A kernel is translated to `void kernel(Thread *, const uint8_t *parameters)`,
// where parameters lie as PTX lays them out in .param space. Plain arithmetic,
// branches and calls are code of its own; memory, special registers and whatever
// more than one thread takes part in are calls of the functions below.
//
// Addresses. Of .global: those of the host. Of .shared: offsets in the block's
// shared memory; of .local: offsets in the thread's. A generic address of these
// is the offset plus sharedBase or localBase; cvta adds, cvta.to subtracts. .const
// and .param have host addresses, as .global has.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_ABI_H
#define NVEMU_EXEC_ABI_H

#include "../ptx/Ptx.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nvemu {

struct Thread; // lib/exec/Thread.h

inline constexpr uint64_t sharedBase = 0x0001'0000'0000'0000; // no host address is there
inline constexpr uint64_t localBase = 0x0002'0000'0000'0000;
inline constexpr uint64_t windowBytes = 0x0000'0001'0000'0000;

enum AccessFlags : uint32_t {
  accessRead = 0,
  accessWrite = 1,
  accessVolatile = 2, // volatile, relaxed, mmio: never part of a race with its like
  accessAcquire = 4,
  accessRelease = 8,
  accessScopeGpu = 16,
  accessScopeSys = 32, // without: the block
  accessReadOnly = 64, // ld.global.nc: nobody may write it during the launch
};

/// A place in the PTX that reports name and the runtime keeps what it needs of.
struct SiteInfo {
  const ptx::Instruction *instruction = nullptr;
  const ptx::Function *function = nullptr;
  /// Of an instruction for nvemu_operate.
  void (*handler)(Thread &, const SiteInfo &, const uint64_t *in, uint64_t *out) = nullptr;
  uint64_t data[4] = {};            // what the handler wants to know of its modifiers, decoded once
  unsigned inputs = 0, outputs = 0; // of `in` and `out`
};

/// Called while loading, for each instruction that the translator does not make
/// code of. Sets handler, data, inputs and outputs; false, and `why` says in one
/// sentence why this opcode or modifier is not known.
///
/// `in` has the instruction's source operands, flattened in their order: a vector
/// gives one number for each part, an address [base + offset] one (the sum), and
/// then one for each of its further parts; a predicate is 0 or 1, anything else
/// its bits, zero-extended. The first `results` operands are results, flattened
/// likewise (a|b gives two, _ gives one that is dropped).
bool findOperation(SiteInfo &site, unsigned &results, std::string &why);

/// Sites of a module, numbered; the translator adds them, the runtime reads them.
using Sites = std::vector<SiteInfo>;

extern "C" {
using KernelCode = void (*)(Thread *, const uint8_t *parameters);

/// The host address of `bytes` (1, 2, 4, 8, 16 or 32) at `address` of `space`,
/// checked. Where it may not be accessed this reports and does not return: the
/// thread is given up.
void *nvemu_access(Thread *, uint64_t address, uint32_t space, uint32_t bytes, uint32_t flags, uint32_t site);
/// Runs the handler of `site`. The thread may wait in it for others.
void nvemu_operate(Thread *, uint32_t site, const uint64_t *in, uint64_t *out);
/// A special register by its number in specialRegisters(); 64-bit ones too.
uint64_t nvemu_special(Thread *, uint32_t which);
/// Room for `bytes` of .local memory for a function's variables: an offset, 16-byte
/// aligned. nvemu_local_leave gives back what came after.
uint64_t nvemu_local_enter(Thread *, uint32_t bytes, uint32_t site);
void nvemu_local_leave(Thread *, uint64_t offset);
/// trap, and what must not happen (a call of a bad pointer): reports, does not return.
[[noreturn]] void nvemu_trap(Thread *, uint32_t site);
[[noreturn]] void nvemu_exit(Thread *); // exit within a called function
/// Called at each backward branch, so that others get a turn and an endless loop is found.
void nvemu_loop(Thread *, uint32_t site);
}

/// "%tid.x", "%laneid", ...: the number for nvemu_special, or -1.
int specialRegister(std::string_view name);

} // namespace nvemu

#endif // NVEMU_EXEC_ABI_H
