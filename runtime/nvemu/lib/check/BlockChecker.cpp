//===- BlockChecker.cpp - accesses of one block ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Launch.h"

using namespace nvemu;

Role nvemu::roleOf(const BlockChecker::Access &access) {
  constexpr uint32_t strong = accessVolatile | accessAcquire | accessRelease;
  bool writes = access.flags & accessWrite;
  if (!access.atomic && !(access.flags & strong))
    return writes ? Role::Write : access.flags & accessReadOnly ? Role::ReadOnly : Role::Read;
  bool wide = access.flags & (accessScopeGpu | accessScopeSys);
  if (writes || access.atomic)
    return wide ? Role::WriteGpu : Role::WriteCta;
  return wide ? Role::ReadGpu : Role::ReadCta;
}

static bool reads(const BlockChecker::Access &access) { return access.atomic || !(access.flags & accessWrite); }

//===-- Construction ------------------------------------------------------===//

BlockChecker::BlockChecker(Findings &findings, GlobalChecker &global, Dim3 blockIndex, size_t blockNumber,
                           Dim3 blockSize, size_t sharedBytes, bool checks)
    : impl(new Impl{findings, *global.impl, blockIndex, blockSize, sharedBytes, checks && global.impl->checks,
                    uint32_t(blockNumber), blockSize.x * blockSize.y * blockSize.z}) {
  if (!impl->checks)
    return;
  if (blockNumber < impl->launch.blocks.size())
    impl->launch.blocks[blockNumber] = blockIndex;
  auto nothing = std::make_shared<View>();
  nothing->own.block = impl->number;
  nothing->own.threads = impl->threadCount;
  nothing->own.base.resize((impl->threadCount + warpLanes - 1) / warpLanes);
  impl->start = std::move(nothing);
  impl->threads.reserve(impl->threadCount);
  for (uint32_t i = 0; i != impl->threadCount; ++i)
    impl->threads.emplace_back(i, impl->start);
  impl->pages = std::vector<Page>((sharedBytes + pageBytes - 1) >> pageShift);
  impl->initialised.resize(sharedBytes / 64 + 1);
}

BlockChecker::~BlockChecker() {
  // The block ends, and with it what its copies still read.
  if (impl->checks)
    for (Impl::Copy &copy : impl->copies)
      if (copy.running)
        impl->settle(copy, impl->threads[copy.thread].event());
}

//===-- Shared memory -----------------------------------------------------===//

bool BlockChecker::Impl::initialisedShared(uint64_t offset, uint32_t bytes) const {
  for (uint64_t end = offset + bytes; offset != end;) {
    unsigned part = std::min<uint64_t>(end - offset, 64 - offset % 64);
    uint64_t bits = bitsOfBytes(offset, part);
    if ((initialised[offset / 64] & bits) != bits)
      return false;
    offset += part;
  }
  return true;
}

void BlockChecker::Impl::setInitialisedShared(uint64_t offset, uint32_t bytes) {
  for (uint64_t end = offset + bytes; offset != end;) {
    unsigned part = std::min<uint64_t>(end - offset, 64 - offset % 64);
    initialised[offset / 64] |= bitsOfBytes(offset, part);
    offset += part;
  }
}

bool BlockChecker::Impl::touchShared(const Access &access, uint64_t offset, uint32_t bytes, const Actor &actor,
                                     bool reads) {
  Conflict conflict;
  uint64_t at = offset, conflictBase = 0;
  for (uint64_t end = offset + bytes; at != end;) {
    uint64_t inPage = at & (pageBytes - 1);
    auto part = unsigned(std::min(end - at, pageBytes - inPage));
    bool before = conflict.found;
    pages[at >> pageShift].touch(actor, unsigned(inPage), part, conflict);
    if (conflict.found && !before)
      conflictBase = at - inPage;
    at += part;
  }
  if (reads && !initialisedShared(offset, bytes)) [[unlikely]]
    uninitialised(access, sharedPlace(offset, bytes));
  if (isWrite(actor.role))
    setInitialisedShared(offset, bytes);
  if (conflict.found) [[unlikely]] {
    uint64_t first = std::max(offset, conflictBase + conflict.offset);
    conflictAt(conflict, access, actor.role, sharedPlace(first, uint32_t(offset + bytes - first)));
  }
  return true;
}

bool BlockChecker::shared(const Access &access, uint64_t offset) {
  Impl &block = *impl;
  if (access.bytes > block.sharedBytes || offset > block.sharedBytes - access.bytes ||
      (offset & (alignmentOf(access) - 1))) [[unlikely]]
    return block.badShared(access, offset);
  if (!block.checks)
    return true;
  Role role = roleOf(access);
  ThreadOrder &thread = block.threads[access.thread];
  Event now = thread.event(), event = isStrong(role) ? block.order(access, offset, false) : now;
  Actor actor(thread.view(), event, role, access.site);
  actor.isDated = event.clock < now.clock;
  return block.touchShared(access, offset, access.bytes, actor, reads(access));
}

//===-- Global memory -----------------------------------------------------===//

GlobalPage &BlockChecker::Impl::globalPage(uint64_t address, uint64_t bytes) {
  uint64_t number = address >> pageShift;
  GlobalPage &entry = recent[number % std::size(recent)];
  if (entry.holds(address, bytes)) [[likely]]
    return entry;
  entry = GlobalPage();
  uint64_t inPage = std::min(bytes, pageBytes - (address & (pageBytes - 1)));
  if (RegionShadow *shadow = launch.find(address, inPage)) {
    entry.shadow = shadow;
    entry.page = checks ? &shadow->page(address) : nullptr;
    entry.low = std::max(shadow->region->base, number << pageShift);
    entry.high = std::min(shadow->region->end(), (number + 1) << pageShift);
  }
  return entry;
}

bool BlockChecker::Impl::touchGlobal(const Access &access, uint64_t address, uint32_t bytes, const Actor &actor,
                                     bool reads) {
  for (uint64_t at = address, end = address + bytes; at != end;) {
    uint64_t inPage = at & (pageBytes - 1);
    auto part = unsigned(std::min(end - at, pageBytes - inPage));
    GlobalPage &place = globalPage(at, part);
    if (place.low > place.high) [[unlikely]]
      return badGlobal(access, address);
    Page &page = *place.page;
    Conflict conflict;
    if (launch.concurrent)
      while (page.lock.test_and_set(std::memory_order_acquire)) {
      }
    page.touch(actor, unsigned(inPage), part, conflict);
    if (launch.concurrent)
      page.lock.clear(std::memory_order_release);
    Region &region = *place.shadow->region;
    if (!page.initialised) {
      if (reads && !region.allInitialized(at - region.base, part)) [[unlikely]]
        uninitialised(access, globalPlace(region, at, part));
      for (uint64_t i = 0; isWrite(actor.role) && i < part;) {
        auto few = unsigned(std::min<uint64_t>(part - i, 64 - (at + i - region.base) % 64));
        region.setInitialized(at + i - region.base, few);
        i += few;
      }
    }
    if (conflict.found) [[unlikely]] {
      uint64_t first = std::max(at, at - inPage + conflict.offset);
      conflictAt(conflict, access, actor.role, globalPlace(region, first, uint32_t(at + part - first)));
    }
    at += part;
  }
  return true;
}

bool BlockChecker::global(const Access &access, uint64_t address) {
  Impl &block = *impl;
  if (address + access.bytes < address || (address & (alignmentOf(access) - 1))) [[unlikely]]
    return block.badGlobal(access, address);
  if (!block.checks) {
    uint64_t inPage = std::min<uint64_t>(access.bytes, pageBytes - (address & (pageBytes - 1)));
    if (inPage == access.bytes) [[likely]] {
      GlobalPage &place = block.globalPage(address, inPage);
      return place.low <= place.high || block.badGlobal(access, address);
    }
    return block.launch.find(address, access.bytes) || block.badGlobal(access, address);
  }
  Role role = roleOf(access);
  ThreadOrder &thread = block.threads[access.thread];
  if (thread.wantsAgain()) [[unlikely]]
    thread.again();
  Event now = thread.event(), event = isStrong(role) ? block.order(access, address, true) : now;
  Actor actor(thread.view(), event, role, access.site);
  actor.isDated = event.clock < now.clock;
  return block.touchGlobal(access, address, access.bytes, actor, reads(access));
}

//===-- Order -------------------------------------------------------------===//

Event BlockChecker::Impl::order(const Access &access, uint64_t address, bool global) {
  bool writes = access.flags & accessWrite;
  bool wide = access.flags & (accessScopeGpu | accessScopeSys);
  ThreadOrder &thread = threads[access.thread];
  return thread.access({global ? &launch.locations : &sharedLocations, address, wide ? Scope::Gpu : Scope::Block,
                        global, reads(access), writes || access.atomic, (access.flags & accessAcquire) != 0,
                        (access.flags & accessRelease) != 0, global && launch.concurrent});
}

static Clock::Impl &implOf(Clock &clock) {
  if (!clock.impl)
    clock.impl = std::make_unique<Clock::Impl>();
  return *clock.impl;
}

void BlockChecker::release(ThreadId thread, Clock &clock) {
  if (!impl->checks)
    return;
  ThreadOrder &order = impl->threads[thread];
  if (order.wantsAgain())
    order.again();
  order.release(implOf(clock));
}

void BlockChecker::acquire(ThreadId thread, const Clock &clock) {
  if (impl->checks && clock.impl)
    impl->threads[thread].acquire(*clock.impl);
}

void BlockChecker::fence(ThreadId thread, bool gpuScope) {
  if (!impl->checks)
    return;
  ThreadOrder &order = impl->threads[thread];
  if (order.wantsAgain())
    order.again();
  order.fence(gpuScope ? Scope::Gpu : Scope::Block);
}

void BlockChecker::syncWarp(uint32_t warp, uint32_t mask) {
  if (!impl->checks)
    return;
  ThreadOrder *lanes[warpLanes];
  unsigned count = 0;
  for (uint32_t lane = 0; lane != warpLanes; ++lane) {
    uint32_t id = warp * warpLanes + lane;
    if ((mask >> lane & 1) && id < impl->threadCount)
      lanes[count++] = &impl->threads[id];
  }
  if (count)
    ThreadOrder::synchronise(lanes, count);
}
