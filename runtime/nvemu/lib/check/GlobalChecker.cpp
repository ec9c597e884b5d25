//===- GlobalChecker.cpp - global memory of one launch --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Launch.h"

using namespace nvemu;

RegionShadow::RegionShadow(std::shared_ptr<Region> of)
    : region(std::move(of)), first(region->base >> pageShift), pages((region->end() >> pageShift) - first + 1) {}

RegionShadow::~RegionShadow() {
  for (std::atomic<Page *> &page : pages)
    delete page.load(std::memory_order_relaxed);
}

Page &RegionShadow::page(uint64_t address) {
  uint64_t number = address >> pageShift;
  std::atomic<Page *> &place = pages[number - first];
  if (Page *page = place.load(std::memory_order_acquire))
    return *page;
  auto made = std::make_unique<Page>();
  uint64_t low = std::max(region->base, number << pageShift);
  uint64_t high = std::min(region->end(), (number + 1) << pageShift);
  made->initialised = region->allInitialized(low - region->base, high - low);
  Page *other = nullptr;
  if (place.compare_exchange_strong(other, made.get(), std::memory_order_acq_rel))
    return *made.release();
  return *other; // a thread of another block was faster
}

RegionShadow *GlobalChecker::Impl::find(uint64_t address, uint64_t bytes) {
  auto search = [&]() -> RegionShadow * {
    auto after = std::upper_bound(shadows.begin(), shadows.end(), address,
                                  [](uint64_t a, const auto &shadow) { return a < shadow->region->base; });
    if (after == shadows.begin())
      return nullptr;
    RegionShadow *shadow = std::prev(after)->get();
    return shadow->region->holds(address, bytes) ? shadow : nullptr;
  };
  {
    std::shared_lock lock(mutex);
    if (RegionShadow *known = search())
      return known;
  }
  std::shared_ptr<Region> region = regionAt(address);
  if (!region || !region->holds(address, bytes))
    return nullptr;
  std::unique_lock lock(mutex);
  if (RegionShadow *known = search())
    return known;
  auto place = std::upper_bound(shadows.begin(), shadows.end(), address,
                                [](uint64_t a, const auto &shadow) { return a < shadow->region->base; });
  return shadows.insert(place, std::make_unique<RegionShadow>(std::move(region)))->get();
}

GlobalChecker::GlobalChecker(Findings &findings, size_t blocks, bool checks, bool concurrent)
    : impl(new Impl{findings, checks, concurrent, {}, {}, {}, {}}) {
  if (checks)
    impl->blocks.resize(blocks);
}

GlobalChecker::~GlobalChecker() = default;
