//===- Copies.cpp - asynchronous copies to shared memory ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A copy writes its bytes from the moment it is started until it is over, so they
// are marked in flight meanwhile; its source has an entry with a clock that nobody
// can know. When it is over both become accesses of whoever waited for it, or of the
// mbarrier's agent.
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

using namespace nvemu;

bool BlockChecker::copyStart(const Access &access, uint64_t offset, uint32_t bytes, uint64_t &number,
                             uint64_t globalAddress, uint32_t globalBytes) {
  Impl &block = *impl;
  Access target = access, source = access;
  target.bytes = bytes, target.flags = accessWrite;
  source.bytes = globalBytes, source.flags = accessRead;
  // Aligned as the whole is, even where fewer bytes than that are read.
  source.alignment = alignmentOf(target);
  target.atomic = source.atomic = false;
  number = 0;
  if (bytes > block.sharedBytes || offset > block.sharedBytes - bytes || (offset & (alignmentOf(target) - 1)))
    return block.badShared(target, offset);
  if (globalBytes && (globalAddress + globalBytes < globalAddress || (globalAddress & (source.alignment - 1))))
    return block.badGlobal(source, globalAddress);
  if (!block.checks)
    return !globalBytes || block.launch.find(globalAddress, globalBytes) || block.badGlobal(source, globalAddress);

  ThreadOrder &thread = block.threads[access.thread];
  if (globalBytes) {
    Actor going(thread.view(), {access.thread, never}, Role::Read, access.site);
    if (!block.launch.find(globalAddress, globalBytes))
      return block.badGlobal(source, globalAddress);
    block.touchGlobal(source, globalAddress, globalBytes, going, true);
  }
  Actor filling(thread.view(), thread.event(), Role::Write, access.site);
  filling.write |= WriteWord::inFlight;
  block.touchShared(target, offset, bytes, filling, false);

  if (block.freeCopies.empty()) {
    block.freeCopies.push_back(block.copies.size());
    block.copies.emplace_back();
  }
  number = block.freeCopies.back();
  block.freeCopies.pop_back();
  block.copies[number] = {access.thread, access.site, bytes, globalBytes, offset, globalAddress, filling.write, true};
  return true;
}

/// The copy is over: `now` is the event that others have to know of.
void BlockChecker::Impl::settle(Copy &copy, Event now) {
  copy.running = false;
  const View &view = threads[copy.thread].view();
  Actor going(view, {copy.thread, never}, Role::Read, copy.site), done(view, now, Role::Read, copy.site);
  for (uint64_t at = copy.offset, end = copy.offset + copy.bytes; at != end;) {
    uint64_t inPage = at & (pageBytes - 1);
    auto part = unsigned(std::min(end - at, pageBytes - inPage));
    pages[at >> pageShift].settleWrite(unsigned(inPage), part, copy.word, WriteWord::pack(now, copy.site), number);
    at += part;
  }
  for (uint64_t at = copy.address, end = copy.address + copy.globalBytes; at != end;) {
    uint64_t inPage = at & (pageBytes - 1);
    auto part = unsigned(std::min(end - at, pageBytes - inPage));
    Page &page = *globalPage(at, part).page;
    if (launch.concurrent)
      while (page.lock.test_and_set(std::memory_order_acquire)) {
      }
    page.settleRead(unsigned(inPage), part, going, done);
    if (launch.concurrent)
      page.lock.clear(std::memory_order_release);
    at += part;
  }
}

void BlockChecker::copyDone(uint64_t number, ThreadId thread) {
  Impl &block = *impl;
  if (!block.checks || number >= block.copies.size() || !block.copies[number].running)
    return;
  block.settle(block.copies[number], block.threads[thread].event());
  block.freeCopies.push_back(number);
}

void BlockChecker::copyDone(uint64_t number, Clock &clock) {
  Impl &block = *impl;
  if (!block.checks || number >= block.copies.size() || !block.copies[number].running)
    return;
  if (!clock.impl)
    clock.impl = std::make_unique<Clock::Impl>();
  uint32_t &agent = clock.impl->agent;
  if (!agent) {
    // Past the last one they share it: an order too many, so at worst a missed race.
    agent = firstAgent + std::min(block.agents, agentCount - 1);
    block.agents = std::min(block.agents + 1, agentCount);
    block.completions.resize(block.agents);
  }
  Event now{agent, ++block.completions[agent - firstAgent]};
  block.settle(block.copies[number], now);
  block.freeCopies.push_back(number);
  clock.impl->all.add(block.start, now);
}
