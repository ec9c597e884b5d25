//===- Shadow.h - what happened to each byte --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A page of memory has one cell for each granule of it: the last plain write, and
// the reads and strong (atomic, volatile, relaxed) accesses since then that nothing
// orders before a later one. All bytes of a granule have the same history, so that
// nothing is lost or invented: a page begins with the granule of its first access,
// 16 bytes at most, and is cut finer when a smaller access comes.
//
// The history is kept as in FastTrack (Flanagan and Freund, 2009), with the lanes
// of one warp that read at one clock together in one entry.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_CHECK_SHADOW_H
#define NVEMU_CHECK_SHADOW_H

#include "Clocks.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace nvemu {

inline constexpr unsigned pageShift = 10;
inline constexpr uint64_t pageBytes = uint64_t(1) << pageShift;
inline constexpr unsigned mostGranuleShift = 4, noGranuleShift = 5;

/// How an access takes part in races. Strong ones are of a scope, the block (Cta)
/// or wider (Gpu); ReadOnly is ld.global.nc.
enum class Role : uint32_t { Read, ReadCta, ReadGpu, ReadOnly, Write, WriteCta, WriteGpu };

inline bool isWrite(Role role) { return role >= Role::Write; }
inline bool isStrong(Role role) { return role != Role::Read && role != Role::ReadOnly && role != Role::Write; }
/// Whether two accesses race if nothing orders them.
bool conflicts(Role a, Role b, bool sameBlock);

/// A write: clock 30 bits, id 12, site 20, and whether a copy is under way to there.
/// 0 is none, since clocks begin at 1.
struct WriteWord {
  static constexpr uint64_t inFlight = 1;
  static constexpr unsigned clockShift = 34, idShift = 22, siteShift = 2;
  static uint64_t pack(Event event, uint32_t site) {
    return uint64_t(event.clock) << clockShift | uint64_t(event.id) << idShift | uint64_t(site & 0xfffff) << siteShift;
  }
  static uint32_t clock(uint64_t word) { return word >> clockShift; }
  static uint32_t id(uint64_t word) { return word >> idShift & 0xfff; }
  static uint32_t site(uint64_t word) { return word >> siteShift & 0xfffff; }
};

/// An entry: clock 30 bits, group of 32 ids 7, role 3, site 20. 0 is none.
struct EntryWord {
  static constexpr unsigned clockShift = 34, groupShift = 27, roleShift = 24, siteShift = 4;
  static uint64_t pack(Event event, Role role, uint32_t site) {
    return uint64_t(event.clock) << clockShift | uint64_t(event.id / warpLanes) << groupShift |
           uint64_t(role) << roleShift | uint64_t(site & 0xfffff) << siteShift;
  }
  static uint32_t clock(uint64_t word) { return word >> clockShift; }
  static uint32_t group(uint64_t word) { return word >> groupShift & 0x7f; }
  static Role role(uint64_t word) { return Role(word >> roleShift & 7); }
  static uint32_t site(uint64_t word) { return word >> siteShift & 0xfffff; }
  /// Of one clock, warp and role.
  static bool alike(uint64_t a, uint64_t b) { return ((a ^ b) >> roleShift) == 0; }
};

struct Entry {
  uint64_t word;
  uint32_t mask; // lanes
  uint32_t block;
};

/// Who accesses, with its words made once for all cells.
struct Actor {
  const View *view;
  uint64_t write, entry;
  uint32_t block, id, clock, lane; // lane: its bit
  Role role;
  bool isDated = false; // its clock is that of an earlier fence: others came in between

  Actor(const View &view, Event self, Role role, uint32_t site)
      : view(&view), write(WriteWord::pack(self, site)), entry(EntryWord::pack(self, role, site)),
        block(view.own.block), id(self.id), clock(self.clock), lane(1u << self.id % warpLanes), role(role) {}

  /// Whether the write of a cell is in this thread's past.
  bool knowsWrite(uint64_t word, uint32_t itsBlock) const {
    uint32_t itsId = WriteWord::id(word);
    if (itsBlock == block) [[likely]]
      return itsId == id || view->own.knows(itsId, WriteWord::clock(word));
    return knowsForeign(itsBlock, itsId, WriteWord::clock(word));
  }
  /// The lanes of an entry that are not in this thread's past.
  uint32_t unknownLanes(const Entry &entry) const;

private:
  bool knowsForeign(uint32_t itsBlock, uint32_t itsId, uint32_t itsClock) const;
};

/// The first access that one races with.
struct Conflict {
  bool found = false, inFlight = false;
  uint32_t block = 0, id = 0, site = 0;
  Role role = Role::Read;
  unsigned offset = 0; // in the page
};

class Page {
public:
  Page() = default;
  Page(const Page &) = delete;
  Page &operator=(const Page &) = delete;
  ~Page();

  /// Checks an access against what is known of its bytes and adds it. `offset` and
  /// `bytes` lie within the page.
  void touch(const Actor &, unsigned offset, unsigned bytes, Conflict &);
  /// A copy that wrote `word` there while in flight is complete: `now` is its write.
  void settleWrite(unsigned offset, unsigned bytes, uint64_t word, uint64_t now, uint32_t block);
  /// The read with `going`'s entry is over; it counts as one by `done` from here on.
  void settleRead(unsigned offset, unsigned bytes, const Actor &going, const Actor &done);

  bool initialised = false; // all of the page, of a buffer of global memory
  std::atomic_flag lock;    // of pages that several host threads have

private:
  struct Cell {
    uint64_t write, entry; // the newest entry; the others are in a list
    uint32_t mask, more;   // lanes of `entry`; list + 1, or 0
    uint32_t writeBlock, entryBlock;
  };
  void refine(unsigned shift);
  bool readQuickly(Cell &, const Actor &);
  bool writeQuickly(Cell &, const Actor &);
  void meet(Cell &, const Actor &, Conflict &);
  bool compare(const Cell &, const Actor &, Conflict &);
  void add(Cell &, const Actor &);
  void push(Cell &, const Entry &, const Actor &);
  void tidyList(Cell &);
  void drop(Cell &, const Actor &);
  void clearEntries(Cell &);
  std::vector<Entry> &listOf(Cell &);
  static constexpr uint32_t listBits = 0x7fffffff, listHasWrites = 0x80000000; // of `more`

  Cell *cells = nullptr;
  unsigned granuleShift = noGranuleShift;
  std::vector<std::vector<Entry>> lists;
  std::vector<uint32_t> freeLists;
};

} // namespace nvemu

#endif // NVEMU_CHECK_SHADOW_H
