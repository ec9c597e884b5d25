//===- Memory.cpp - where an address leads, and whether it may ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Launch.h"

#include <algorithm>

namespace nvemu {

namespace {

constexpr uint64_t mostLocal = 512 * 1024; // of a thread; CUDA C++ Programming Guide
/// Of a fiber's stack, for the operations that a called function may execute.
constexpr size_t leastStack = 64 * 1024;

std::string functionName(const Thread &thread) {
  const ptx::Function *function = thread.block->launch.sites[thread.site].function;
  return function ? function->name : std::string("a function");
}

std::string tooDeep(const Thread &thread) {
  return "calls are nested too deeply for the stack, the last one of " + functionName(thread);
}

std::string tooMuchLocal(const Thread &thread, uint64_t bytes) {
  return "with the variables of " + functionName(thread) + " the thread has " + std::to_string(bytes) +
         " bytes of local memory: at most 524288 are possible";
}

void *localAccess(Thread &thread, uint64_t address, uint32_t bytes) {
  const bool inside = address < thread.localBytes && bytes <= thread.localBytes - address;
  if (inside && address % bytes == 0)
    return thread.local.data() + address;
  const std::string place =
      std::to_string(bytes) + " bytes at " + std::to_string(address) + " of the thread's local memory";
  if (!inside)
    thread.block->report(Kind::OutOfBounds, thread,
                         place + " are not within the " + std::to_string(thread.localBytes) + " bytes that are in use");
  else
    thread.block->report(Kind::Misaligned, thread, place + " do not begin at a multiple of their size");
  return nullptr;
}

/// Whether an address is one of a parameter: of the kernel, or of a called function,
/// whose parameters are on the thread's stack.
bool isParameter(const Thread &thread, uint64_t address) {
  const LaunchState &launch = thread.block->launch;
  const uint64_t offset = address - reinterpret_cast<uint64_t>(launch.parameters.data());
  return offset < launch.kernel.parameterBytes || thread.fiber->contains(reinterpret_cast<const char *>(address));
}

void *parameterAccess(Thread &thread, uint64_t address, uint32_t bytes, uint32_t flags) {
  const LaunchState &launch = thread.block->launch;
  auto *place = reinterpret_cast<char *>(address);
  if (thread.fiber->contains(place) && thread.fiber->contains(place + bytes - 1))
    return place;
  const uint64_t offset = address - reinterpret_cast<uint64_t>(launch.parameters.data());
  const uint64_t all = launch.kernel.parameterBytes;
  if (flags & accessWrite)
    thread.block->report(Kind::Invalid, thread, "a parameter of a kernel cannot be written");
  else if (offset >= all || bytes > all - offset)
    thread.block->report(Kind::OutOfBounds, thread,
                         std::to_string(bytes) + " bytes at " + std::to_string(offset) + " are not within the " +
                             std::to_string(all) + " bytes of the kernel's parameters");
  else
    return place;
  return nullptr;
}

} // namespace

ptx::Space Block::resolve(uint64_t &address, ptx::Space space) {
  if (space != ptx::Space::Generic)
    return space;
  if (address - sharedBase < windowBytes) {
    address -= sharedBase;
    return ptx::Space::Shared;
  }
  if (address - localBase < windowBytes) {
    address -= localBase;
    return ptx::Space::Local;
  }
  return ptx::Space::Generic; // a host address
}

void *Block::tryAccess(Thread &thread, uint64_t address, ptx::Space space, uint32_t bytes, uint32_t flags,
                       bool atomic) {
  space = resolve(address, space);
  const BlockChecker::Access access{thread.number, thread.site, bytes, flags, atomic};
  if ((flags & accessWrite) && !atomic)
    changed();
  switch (space) {
  case ptx::Space::Shared:
    ++sharedAccesses;
    return checker->shared(access, address) ? shared + address : nullptr;
  case ptx::Space::Local:
    return localAccess(thread, address, bytes);
  case ptx::Space::Param:
  case ptx::Space::Generic:
    if (isParameter(thread, address))
      return parameterAccess(thread, address, bytes, flags);
    [[fallthrough]];
  case ptx::Space::Global:
  case ptx::Space::Const:
    ++globalAccesses;
    return checker->global(access, address) ? reinterpret_cast<void *>(address) : nullptr;
  }
  return nullptr;
}

void *Block::access(Thread &thread, uint64_t address, ptx::Space space, uint32_t bytes, uint32_t flags, bool atomic) {
  void *place = tryAccess(thread, address, space, bytes, flags, atomic);
  if (!place)
    giveUp(thread);
  return place;
}

extern "C" {

void *nvemu_access(Thread *thread, uint64_t address, uint32_t space, uint32_t bytes, uint32_t flags, uint32_t site) {
  thread->site = site;
  return thread->block->access(*thread, address, static_cast<ptx::Space>(space), bytes, flags);
}

uint64_t nvemu_local_enter(Thread *thread, uint32_t bytes, uint32_t site) {
  thread->site = site;
  if (thread->fiber->room(__builtin_frame_address(0)) < leastStack)
    thread->block->fail(Kind::Limit, *thread, tooDeep(*thread));
  const uint64_t offset = (thread->localBytes + 15) & ~uint64_t(15);
  const uint64_t end = offset + bytes;
  if (end > mostLocal)
    thread->block->fail(Kind::Limit, *thread, tooMuchLocal(*thread, end));
  if (thread->local.size() < end)
    thread->local.resize(std::max<size_t>(end, 2 * thread->local.size()));
  std::fill(thread->local.begin() + static_cast<ptrdiff_t>(offset), thread->local.begin() + static_cast<ptrdiff_t>(end),
            uint8_t(0xFF));
  thread->localBytes = end;
  return offset;
}

void nvemu_local_leave(Thread *thread, uint64_t offset) { thread->localBytes = offset; }

} // extern "C"

} // namespace nvemu
