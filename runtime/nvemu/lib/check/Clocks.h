//===- Clocks.h - who knows of what -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// An event is a thread (its number in the block) and that thread's clock then. A
// thread's clock goes up whenever it releases something. What a thread knows of
// its block is a vector clock with one component for each warp, which holds for
// all of its lanes, and a short list of lanes that it knows more of. Clocks jump
// to the greatest clock that was acquired, plus one (as Lamport's do), so after a
// barrier all lanes have equal clocks and the list is empty again.
//
// Numbers from firstAgent on are not threads but completions of asynchronous
// copies, one agent for each mbarrier: they are only ever in the list.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_CHECK_CLOCKS_H
#define NVEMU_CHECK_CLOCKS_H

#include "Checker.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace nvemu {

inline constexpr uint32_t warpLanes = 32;
inline constexpr uint32_t firstAgent = 1024, agentCount = 3072; // 12 bits in all
/// The clock of something that goes on still: nobody can know of it.
inline constexpr uint32_t never = (1u << 30) - 1;

struct Event {
  uint32_t id, clock;
};

/// What is known of one block.
struct Part {
  uint32_t block = 0, threads = 0;
  uint32_t top = 0;           // the greatest clock of a thread below
  std::vector<uint32_t> base; // for each warp: events of all of its lanes up to here
  std::vector<Event> extra;   // beyond base, sorted by id

  bool knows(uint32_t id, uint32_t clock) const {
    uint32_t warp = id / warpLanes;
    return (warp < base.size() && clock <= base[warp]) || (!extra.empty() && knowsMore(id, clock));
  }
  bool knowsMore(uint32_t id, uint32_t clock) const;
  bool covers(const Part &other) const;
  void join(const Part &other);
  /// Adds events in any order; `events` is left sorted.
  void join(std::vector<Event> &events);

private:
  void merge(const std::vector<Event> &events);
};

/// Of several blocks, sorted by block. Parts never change once they are shared.
using Parts = std::vector<std::shared_ptr<const Part>>;
void join(Parts &parts, const Parts &others);
const Part *find(const Parts &parts, uint32_t block);

/// What a thread knows: of its block, and of blocks that it acquired something from.
struct View {
  Part own;
  Parts others;

  bool covers(const View &other) const;
  void join(const View &other);
  /// Takes what is said of the own block into `own`.
  void join(const Parts &parts);
};
using ViewPtr = std::shared_ptr<const View>;

/// A view that is added to step by step. What `get` returned stays as it is.
class ViewBuilder {
public:
  bool empty() const { return !view && events.empty(); }
  void clear() { *this = ViewBuilder(); }
  void add(const ViewPtr &known);
  void add(const ViewPtr &known, Event self);
  /// `known` in addition to what is here; the same pointer for equal arguments in a row.
  const ViewPtr &joined(const ViewPtr &known);
  const ViewPtr &get();

private:
  View &writable();
  ViewPtr view; // without events
  std::vector<Event> events;
  bool shared = false;                 // view was handed out
  ViewPtr added, joinedFrom, joinedTo; // the last ones: threads come with equal views
};

struct Clock::Impl {
  ViewBuilder all;
  ViewBuilder fenced; // of it, what a fence of gpu scope was after
  uint32_t agent = 0; // for copies that complete on it; 0: none yet
};

} // namespace nvemu

#endif // NVEMU_CHECK_CLOCKS_H
