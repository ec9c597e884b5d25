//===- MBarrier.cpp - what an mbarrier does -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "MBarrier.h"

#include "../Block.h"
#include "Copies.h"
#include "Place.h"

#include <cstring>

namespace nvemu {

namespace {

std::string arrivals(uint32_t count) { return std::to_string(count) + (count == 1 ? " arrival" : " arrivals"); }

} // namespace

MBarrier &findMBarrier(Thread &thread, uint64_t &address, ptx::Space space, uint32_t flags) {
  Block &block = *thread.block;
  address = sharedOffset(thread, address, space);
  const void *place =
      block.access(thread, address, ptx::Space::Shared, 8, flags | accessVolatile, (flags & accessWrite) != 0);
  auto &all = state<MBarriers>(block.mbarriers).at;
  auto found = all.find(address);
  if (found == all.end())
    block.fail(Kind::Barrier, thread,
               "there is no mbarrier at " + std::to_string(address) +
                   " of shared memory: mbarrier.init has to come first");
  const uint64_t word = found->second.word();
  if (std::memcmp(place, &word, sizeof word) != 0)
    block.fail(Kind::Barrier, thread,
               "the mbarrier at " + std::to_string(address) + " of shared memory was overwritten", found->second.site);
  return found->second;
}

void settle(Block &block, uint64_t offset, MBarrier &barrier) {
  if (!barrier.pending && !barrier.bytes) {
    barrier.completed = barrier.arriving;
    barrier.arriving.clear();
    barrier.pending = barrier.expected;
    ++barrier.phase;
    block.wake(barrier.waiting);
  }
  const uint64_t word = barrier.word();
  std::memcpy(block.shared + offset, &word, sizeof word);
}

void arrive(Thread &thread, MBarrier &barrier, uint32_t count) {
  if (!count || count > barrier.pending)
    thread.block->fail(Kind::Barrier, thread,
                       arrivals(count) + " at an mbarrier that lacks " + std::to_string(barrier.pending) +
                           " in this phase",
                       barrier.site);
  barrier.pending -= count;
}

void landArrivals(Thread &waiter, uint64_t offset, MBarrier &barrier) {
  const uint64_t phase = barrier.phase;
  while (!barrier.copyArrivals.empty() && barrier.phase == phase) {
    const MBarrier::CopyArrival arrival = barrier.copyArrivals.front();
    barrier.copyArrivals.pop_front();
    landCopies(*arrival.thread, arrival.copies, &barrier.arriving);
    if (!barrier.pending)
      waiter.block->fail(Kind::Barrier, waiter, "copies arrive at an mbarrier that lacks no arrival in this phase",
                         arrival.site);
    --barrier.pending;
    settle(*waiter.block, offset, barrier);
  }
}

std::string whatIsLacking(const Block &block, const WaitQueue *queue) {
  if (!block.mbarriers)
    return {};
  for (const auto &[offset, barrier] : static_cast<const MBarriers &>(*block.mbarriers).at) {
    if (&barrier.waiting != queue)
      continue;
    std::string text = " for phase " + std::to_string(barrier.phase) + " of the mbarrier at " + std::to_string(offset) +
                       ", which lacks " + arrivals(barrier.pending);
    return barrier.bytes ? text + " and " + std::to_string(barrier.bytes) + " bytes" : text;
  }
  return {};
}

namespace {

struct CopyArrive {
  ptx::Space space;
  bool increments;
};

void copyArrive(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *) {
  const CopyArrive info = kept<CopyArrive>(site);
  uint64_t address = in[0];
  MBarrier &barrier = findMBarrier(thread, address, info.space, accessWrite);
  if (info.increments) {
    if (barrier.pending == MBarrier::mostCount)
      thread.block->fail(Kind::Barrier, thread, "the mbarrier waits for as many arrivals as it can", barrier.site);
    ++barrier.pending;
    settle(*thread.block, address, barrier);
  }
  barrier.copyArrivals.push_back({&thread, state<Copies>(thread.copies).issued(), thread.site});
  if (!barrier.waiting.empty())
    landArrivals(thread, address, barrier);
}

} // namespace

bool findCopyArrive(SiteInfo &site, Modifiers &modifiers, std::string &why) {
  CopyArrive info{};
  const bool isArrive = modifiers.take("arrive") && modifiers.take("b64");
  info.increments = !modifiers.take("noinc");
  const std::optional<ptx::Space> space = modifiers.takeSpace();
  if (!isArrive || !space || *space == ptx::Space::Global) {
    why = "only cp.async.mbarrier.arrive[.noinc].shared.b64 is understood";
    return false;
  }
  info.space = *space;
  keep(site, info);
  site.handler = copyArrive;
  site.inputs = 1;
  return modifiers.isEmpty(why) && hasOperands(*site.instruction, 1, 1, why);
}

} // namespace nvemu
