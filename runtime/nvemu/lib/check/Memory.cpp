//===- Memory.cpp - buffers of the emulated device ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Each buffer is a mapping of its own between two stretches that nobody may touch,
// and lies at the end of it as far as its alignment lets: what a program of the
// host writes past it faults at once, and a kernel that goes past its buffer does
// not come into another one.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "nvemu/nvemu.h"

#include <cstring>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <sys/mman.h>
#include <unistd.h>

using namespace nvemu;

namespace {

struct Registry {
  std::shared_mutex mutex;
  std::map<uint64_t, std::shared_ptr<Region>> regions; // by their first byte
};

/// Never destroyed: buffers may be released by destructors that run at exit.
Registry &registry() {
  static Registry *registry = new Registry;
  return *registry;
}

size_t roundUp(size_t value, size_t to) { return (value + to - 1) / to * to; }

size_t bitmapBytes(uint64_t bytes) { return roundUp(bytes / 8 + 8, 8); }

void *mapPages(size_t bytes, int protection) {
  void *pages = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

constexpr size_t alignment = 256; // that of cuMemAlloc

} // namespace

Region::~Region() {
  if (map)
    munmap(map, mapBytes);
  if (initialised)
    munmap(initialised, bitmapBytes(bytes));
}

bool Region::allInitialized(uint64_t offset, uint64_t count) const {
  while (count) {
    unsigned part = std::min<uint64_t>(count, 64 - offset % 64);
    if (!isInitialized(offset, part))
      return false;
    offset += part, count -= part;
  }
  return true;
}

/// On each side of a buffer; address space alone.
static constexpr size_t guardBytes = size_t(1) << 20;

void *nvemu::allocate(size_t bytes) {
  size_t page = sysconf(_SC_PAGESIZE);
  if (bytes > size_t(1) << 46)
    return nullptr;
  size_t inner = roundUp(std::max<size_t>(bytes, 1), page);
  auto region = std::make_shared<Region>();
  region->bytes = bytes;
  region->mapBytes = inner + 2 * guardBytes;
  region->map = mapPages(region->mapBytes, PROT_NONE);
  region->initialised = static_cast<uint64_t *>(mapPages(bitmapBytes(bytes), PROT_READ | PROT_WRITE));
  if (!region->map || !region->initialised)
    return nullptr;
  auto *first = static_cast<char *>(region->map) + guardBytes;
  if (mprotect(first, inner, PROT_READ | PROT_WRITE))
    return nullptr;
  // Of no bytes: an address of its own that holds nothing.
  char *base = first + inner - std::max(roundUp(bytes, alignment), alignment);
  std::memset(base, 0xff, bytes); // NaN for every floating-point type
  region->base = reinterpret_cast<uint64_t>(base);

  Registry &all = registry();
  std::unique_lock lock(all.mutex);
  all.regions.emplace(region->base, region);
  return base;
}

bool nvemu::release(void *pointer) {
  Registry &all = registry();
  std::unique_lock lock(all.mutex);
  return all.regions.erase(reinterpret_cast<uint64_t>(pointer)) == 1;
}

bool nvemu::isAllocated(const void *pointer, size_t bytes) {
  auto address = reinterpret_cast<uint64_t>(pointer);
  std::shared_ptr<Region> region = regionAt(address);
  return region && region->holds(address, bytes);
}

void nvemu::markInitialized(const void *pointer, size_t bytes) {
  auto address = reinterpret_cast<uint64_t>(pointer);
  std::shared_ptr<Region> region = regionAt(address);
  if (!region)
    return;
  uint64_t offset = address - region->base;
  uint64_t end = std::min<uint64_t>(region->bytes, bytes > region->bytes ? region->bytes : offset + bytes);
  while (offset < end) {
    unsigned part = std::min<uint64_t>(end - offset, 64 - offset % 64);
    region->setInitialized(offset, part);
    offset += part;
  }
}

std::shared_ptr<Region> nvemu::regionAt(uint64_t address) {
  Registry &all = registry();
  std::shared_lock lock(all.mutex);
  auto after = all.regions.upper_bound(address);
  if (after == all.regions.begin())
    return nullptr;
  const std::shared_ptr<Region> &region = std::prev(after)->second;
  return region->holds(address, 0) ? region : nullptr;
}

std::shared_ptr<Region> nvemu::regionNear(uint64_t address) {
  constexpr uint64_t near = 1 << 20;
  Registry &all = registry();
  std::shared_lock lock(all.mutex);
  auto after = all.regions.upper_bound(address);
  std::shared_ptr<Region> closest;
  uint64_t distance = near;
  if (after != all.regions.begin()) {
    closest = std::prev(after)->second;
    distance = address < closest->end() ? 0 : address - closest->end();
  }
  if (after != all.regions.end() && after->second->base - address < distance)
    closest = after->second, distance = closest->base - address;
  return distance < near ? closest : nullptr;
}
