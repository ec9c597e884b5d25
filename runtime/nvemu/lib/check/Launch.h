//===- Launch.h - what the checkers of a launch share -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_CHECK_LAUNCH_H
#define NVEMU_CHECK_LAUNCH_H

#include "Memory.h"
#include "Order.h"
#include "Shadow.h"

#include <shared_mutex>
#include <string>
#include <vector>

namespace nvemu {

/// The pages of one buffer, made when they are first touched. They are of this
/// launch alone: launches follow each other, so races end with them.
class RegionShadow {
public:
  explicit RegionShadow(std::shared_ptr<Region> region);
  ~RegionShadow();
  RegionShadow(const RegionShadow &) = delete;
  RegionShadow &operator=(const RegionShadow &) = delete;

  Page &page(uint64_t address);
  const std::shared_ptr<Region> region;

private:
  uint64_t first; // the number of the first page
  std::vector<std::atomic<Page *>> pages;
};

struct GlobalChecker::Impl {
  Findings &findings;
  const bool checks, concurrent;
  std::vector<Dim3> blocks; // the index of each, for words
  Locations locations;
  std::shared_mutex mutex;
  std::vector<std::unique_ptr<RegionShadow>> shadows; // sorted by base

  /// nullptr: the bytes are not within one buffer.
  RegionShadow *find(uint64_t address, uint64_t bytes);
};

/// A page of global memory and the addresses in it that belong to the buffer.
struct GlobalPage {
  uint64_t low = 1, high = 0;
  Page *page = nullptr;
  RegionShadow *shadow = nullptr;
  bool holds(uint64_t address, uint64_t bytes) const { return address >= low && address + bytes <= high; }
};

struct BlockChecker::Impl {
  Findings &findings;
  GlobalChecker::Impl &launch;
  const Dim3 index, size;
  const uint64_t sharedBytes;
  const bool checks;
  const uint32_t number, threadCount;

  ViewPtr start = {}; // of a thread: it knows nothing
  std::vector<ThreadOrder> threads = {};
  std::vector<Page> pages = {};           // of shared memory
  std::vector<uint64_t> initialised = {}; // a bit for each byte of it
  Locations sharedLocations = {};
  GlobalPage recent[128] = {}; // of global memory, by page number

  struct Copy {
    ThreadId thread = 0;
    uint32_t site = 0, bytes = 0, globalBytes = 0;
    uint64_t offset = 0, address = 0, word = 0;
    bool running = false;
  };
  std::vector<Copy> copies = {}; // by number; those over are used again
  std::vector<uint64_t> freeCopies = {};
  uint32_t agents = 0;
  std::vector<uint32_t> completions = {}; // of each agent

  GlobalPage &globalPage(uint64_t address, uint64_t bytes); // low > high: in no buffer
  Event order(const Access &, uint64_t address, bool global);
  bool initialisedShared(uint64_t offset, uint32_t bytes) const;
  void setInitialisedShared(uint64_t offset, uint32_t bytes);

  bool touchShared(const Access &, uint64_t offset, uint32_t bytes, const Actor &, bool reads);
  bool touchGlobal(const Access &, uint64_t address, uint32_t bytes, const Actor &, bool reads);
  void settle(Copy &, Event);

  //===--- Messages.cpp: the words of findings; all false ----------------------===//

  bool badShared(const Access &, uint64_t offset);
  bool badGlobal(const Access &, uint64_t address);
  bool report(Kind, const Access &, std::string message, uint32_t otherSite = ~0u);
  void conflictAt(const Conflict &, const Access &, Role, const std::string &place);
  void uninitialised(const Access &, const std::string &place);
  std::string sharedPlace(uint64_t offset, uint32_t bytes) const;
  static std::string globalPlace(const Region &, uint64_t address, uint32_t bytes);
  std::string threadName(ThreadId) const;
  Dim3 threadIndex(ThreadId) const;
};

/// The bytes that an access has to begin at a multiple of.
inline uint32_t alignmentOf(const BlockChecker::Access &access) {
  if (access.alignment)
    return access.alignment;
  uint32_t lowest = access.bytes & -access.bytes;
  return access.bytes > 32 ? 16 : lowest;
}

Role roleOf(const BlockChecker::Access &access);

} // namespace nvemu

#endif // NVEMU_CHECK_LAUNCH_H
