//===- Calls.cpp - what translated code calls, but for memory -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Launch.h"

namespace nvemu {

extern "C" {

void nvemu_operate(Thread *thread, uint32_t site, const uint64_t *in, uint64_t *out) {
  thread->site = site;
  const SiteInfo &info = thread->block->launch.sites[site];
  info.handler(*thread, info, in, out);
}

void nvemu_trap(Thread *thread, uint32_t site) {
  thread->site = site;
  const ptx::Instruction *instruction = thread->block->launch.sites[site].instruction;
  if (!instruction || instruction->opcode == "trap")
    thread->block->fail(Kind::Trap, *thread, "the thread executed trap");
  if (instruction->opcode == "call" && instruction->operands[1].name == "__assertfail")
    thread->block->fail(Kind::Trap, *thread, "an assertion of the kernel does not hold");
  thread->block->fail(Kind::Trap, *thread, instruction->fullName() + " cannot be executed with this operand");
}

void nvemu_exit(Thread *thread) { thread->block->exit(*thread); }

} // extern "C"

} // namespace nvemu
