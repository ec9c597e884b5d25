//===- Deadlock.cpp - who waits where, when nobody can go on --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Launch.h"
#include "operations/MBarrier.h"

#include <algorithm>

namespace nvemu {

namespace {

/// Threads that wait, or spin, at one site.
struct Group {
  uint32_t site;
  bool spins;
  std::vector<const Thread *> threads; // in their order
};

std::string whichThreads(const std::vector<const Thread *> &threads, const std::string &verb) {
  const uint32_t first = threads.front()->number, last = threads.back()->number;
  if (threads.size() == 1)
    return "thread " + std::to_string(first) + " " + verb + "s";
  if (last - first + 1 == threads.size())
    return "threads " + std::to_string(first) + " to " + std::to_string(last) + " " + verb;
  return std::to_string(threads.size()) + " threads, the first of them " + std::to_string(first) + ", " + verb;
}

std::vector<Group> groupsOf(const std::vector<Thread> &threads) {
  std::vector<Group> groups;
  for (const Thread &thread : threads) {
    const bool spins = thread.state == Thread::State::Ready;
    if (!spins && thread.state != Thread::State::Waiting)
      continue;
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&](const Group &group) { return group.site == thread.site && group.spins == spins; });
    if (found == groups.end())
      found = groups.insert(groups.end(), Group{thread.site, spins, {}});
    found->threads.push_back(&thread);
  }
  return groups;
}

/// Where the threads of a group wait for others: " at barrier 1, to which 32 of 64
/// threads have come", " for lanes 0x0000fffe"; empty for anything else.
std::string whatFor(const Block &block, const Thread &thread) {
  for (unsigned id = 0; id < Block::barrierCount; ++id) {
    const Barrier &barrier = block.barriers[id];
    if (thread.waitsIn != &barrier.waiting)
      continue;
    const std::string came = std::to_string(barrier.participants.size());
    const std::string wanted = barrier.expected ? std::to_string(barrier.expected) : std::string("all");
    return " at barrier " + std::to_string(id) + ", to which " + came + " of " + wanted + " threads have come";
  }
  for (const Gathered *gathered = thread.warp->pending; gathered; gathered = gathered->next) {
    if (thread.waitsIn != &gathered->waiting)
      continue;
    std::string lanes;
    const uint32_t missing = gathered->mask & thread.warp->live & ~gathered->lanes;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (missing >> lane & 1)
        lanes += (lanes.empty() ? "" : " ") + std::to_string(lane);
    return " for lanes " + lanes + " of warp " + std::to_string(thread.warp->number);
  }
  return whatIsLacking(block, thread.waitsIn);
}

} // namespace

void Block::reportDeadlock() {
  const std::vector<Group> groups = groupsOf(threads);
  if (groups.empty())
    return;
  std::string message = "no thread of the block can go on: ";
  for (const Group &group : groups) {
    const ptx::Instruction *instruction = launch.sites[group.site].instruction;
    if (&group != &groups.front())
      message += "; ";
    message += whichThreads(group.threads, group.spins ? "spin" : "wait");
    if (&group == &groups.front())
      message += " here";
    else if (instruction)
      message += " in " + instruction->fullName() + " of line " + std::to_string(instruction->line);
    message += group.spins ? ", where nothing changes any more" : whatFor(*this, *group.threads.front());
  }
  const auto ended = std::count_if(threads.begin(), threads.end(),
                                   [](const Thread &thread) { return thread.state == Thread::State::Ended; });
  if (ended)
    message += "; " + std::to_string(ended) + (ended == 1 ? " has" : " have") + " ended";
  const Group &first = groups.front();
  const uint32_t other = first.spins ? first.threads.front()->readSite : groups.size() > 1 ? groups[1].site : ~0u;
  report(Kind::Deadlock, *first.threads.front(), std::move(message), other == first.site ? ~0u : other);
}

} // namespace nvemu
