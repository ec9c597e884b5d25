//===- Loop.cpp - the end of a loop's turn --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// nvemu_loop counts down; once in many turns it puts the registers that a function
// must keep on the stack. With them the stack from there on is all that the thread's
// code has.
//
//===----------------------------------------------------------------------===//

#include "Block.h"

#include <cstddef>

// Thread is of no standard layout, but its first member is where it begins.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
static_assert(offsetof(nvemu::Thread, loopsLeft) == 0, "the code below counts down what is first");
#pragma GCC diagnostic pop

#if defined(__x86_64__)
asm(R"(
.text
.globl nvemu_loop
.hidden nvemu_loop
.type nvemu_loop, @function
nvemu_loop:
  subl $1, (%rdi)
  je 1f
  ret
1:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, %rdx
  subq $8, %rsp
  call nvemu_loop_enough
  addq $56, %rsp
  ret
.size nvemu_loop, .-nvemu_loop
)");
#elif defined(__aarch64__)
asm(R"(
.text
.globl nvemu_loop
.hidden nvemu_loop
.type nvemu_loop, %function
nvemu_loop:
  ldr w9, [x0]
  subs w9, w9, #1
  str w9, [x0]
  b.eq 1f
  ret
1:
  stp x29, x30, [sp, #-160]!
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x2, sp
  bl nvemu_loop_enough
  ldp x29, x30, [sp], #160
  ret
.size nvemu_loop, .-nvemu_loop
)");
#endif

extern "C" __attribute__((visibility("hidden"))) void nvemu_loop_enough(nvemu::Thread *thread, uint32_t site,
                                                                        const void *frame) {
  thread->readSite = thread->site;
  thread->site = site;
  thread->loopsLeft = thread->block->loopTurns();
  thread->block->yieldInLoop(*thread, frame);
}
