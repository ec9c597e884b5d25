//===- Fiber.cpp - stacks that a host thread switches between -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A switch saves the registers that a function must keep (System V ABI for x86-64,
// AAPCS64 for aarch64) on the stack that it leaves, and the stack pointer in the
// Fiber. The floating-point control registers are the same everywhere and stay.
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"

#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define NVEMU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NVEMU_ASAN 1
#endif
#endif
#ifdef NVEMU_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

extern "C" {
void nvemu_fiber_switch(void **save, void *load);
void nvemu_fiber_begin();
}

#if defined(__x86_64__)
asm(R"(
.text
.globl nvemu_fiber_switch
.hidden nvemu_fiber_switch
.type nvemu_fiber_switch, @function
nvemu_fiber_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size nvemu_fiber_switch, .-nvemu_fiber_switch
.globl nvemu_fiber_begin
.hidden nvemu_fiber_begin
.type nvemu_fiber_begin, @function
nvemu_fiber_begin:
  movq %rbx, %rdi
  call *%r12
  ud2
.size nvemu_fiber_begin, .-nvemu_fiber_begin
)");
// From the stack pointer up: r15, r14, r13, r12, rbx, rbp and the return address.
static constexpr size_t frameWords = 7, functionWord = 3, argumentWord = 4, returnWord = 6;
#elif defined(__aarch64__)
asm(R"(
.text
.globl nvemu_fiber_switch
.hidden nvemu_fiber_switch
.type nvemu_fiber_switch, %function
nvemu_fiber_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size nvemu_fiber_switch, .-nvemu_fiber_switch
.globl nvemu_fiber_begin
.hidden nvemu_fiber_begin
.type nvemu_fiber_begin, %function
nvemu_fiber_begin:
  mov x0, x20
  blr x19
  brk #1
.size nvemu_fiber_begin, .-nvemu_fiber_begin
)");
// From the stack pointer up: x19 to x30, d8 to d15. x30 is where `ret` goes.
static constexpr size_t frameWords = 20, functionWord = 0, argumentWord = 1, returnWord = 11;
#else
#error "nvemu's fibers are written for x86-64 and aarch64"
#endif

namespace nvemu {

namespace {

/// Enough for what LLVM makes of a large kernel and for some depth of calls; pages
/// that nobody touches cost nothing.
constexpr size_t stackBytes = 256 * 1024;
/// Stacks begin at different places of a page, or the same lines of all of them would
/// fall on the same sets of a cache.
constexpr size_t colours = 32, colourBytes = 448;

#ifdef NVEMU_ASAN
thread_local Fiber *left = nullptr; // the fiber that the last switch came from
#endif

} // namespace

void Fiber::start(void (*entryPoint)(void *), void *entryArgument) {
  entry = entryPoint;
  argument = entryArgument;
  shadow = nullptr;
  // The frame that a switch to here takes its registers from. Its end is aligned as
  // the stack of a caller is.
  auto *frame = reinterpret_cast<uintptr_t *>(low + bytes - above) - (frameWords & ~size_t(1));
  if (frameWords & 1)
    --frame;
  for (size_t word = 0; word < frameWords; ++word)
    frame[word] = 0;
  frame[functionWord] = reinterpret_cast<uintptr_t>(&Fiber::enter);
  frame[argumentWord] = reinterpret_cast<uintptr_t>(this);
  frame[returnWord] = reinterpret_cast<uintptr_t>(&nvemu_fiber_begin);
  stackPointer = frame;
}

#ifdef NVEMU_ASAN
static void landed(void *shadow, const void **bottom, size_t *size) {
  __sanitizer_finish_switch_fiber(shadow, bottom, size);
}
#endif

void Fiber::enter(Fiber *self) {
#ifdef NVEMU_ASAN
  const void *bottom;
  size_t size;
  landed(nullptr, &bottom, &size);
  // The host's own stack is known from the first switch away from it on.
  left->low = static_cast<char *>(const_cast<void *>(bottom));
  left->bytes = size;
#endif
  self->entry(self->argument);
  abort(); // an entry does not return
}

void Fiber::switchTo(Fiber &other) {
#ifdef NVEMU_ASAN
  left = this;
  __sanitizer_start_switch_fiber(&shadow, other.low, other.bytes);
#endif
  nvemu_fiber_switch(&stackPointer, other.stackPointer);
#ifdef NVEMU_ASAN
  landed(shadow, nullptr, nullptr);
#endif
}

// Not for AddressSanitizer: between variables it marks what must not be read.
__attribute__((no_sanitize("address"))) uint64_t Fiber::digest(const void *frame) const {
  uint64_t value = 0;
  const auto *end = reinterpret_cast<const uintptr_t *>(low + bytes - above);
  for (auto *word = static_cast<const uintptr_t *>(frame); word < end; ++word) {
    value = (value ^ *word) * 0x9e3779b97f4a7c15;
    value ^= value >> 32;
  }
  return value;
}

bool Fibers::reserve(size_t count) {
  if (fibers.size() >= count)
    return true;
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)), each = stackBytes + page;
  const size_t more = count - fibers.size();
  void *memory = mmap(nullptr, more * each, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  slabs.push_back({memory, more * each});
  for (size_t number = 0; number < more; ++number) {
    char *guard = static_cast<char *>(memory) + number * each;
    if (mprotect(guard, page, PROT_NONE))
      return false;
    Fiber fiber;
    fiber.low = guard + page;
    fiber.bytes = stackBytes;
    fiber.above = 64 + fibers.size() % colours * colourBytes;
    fibers.push_back(fiber);
  }
  return true;
}

Fibers::~Fibers() {
  for (const Slab &slab : slabs)
    munmap(slab.memory, slab.bytes);
}

} // namespace nvemu
