//===- Warp.cpp - operations that several lanes take part in --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The first lane that comes to an operation keeps the meeting on its own stack, where
// it stays until the last one has come and computed for all.
//
//===----------------------------------------------------------------------===//

#include "Warp.h"

#include "Block.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace nvemu {

namespace {

std::string hex(uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

/// Lanes may meet at different places if the instruction is the same one, and not
/// .aligned.
bool sameOperation(const SiteInfo &one, const SiteInfo &other) {
  if (&one == &other)
    return true;
  return one.handler == other.handler && one.inputs == other.inputs && one.outputs == other.outputs &&
         std::equal(one.data, one.data + 4, other.data) && !one.instruction->has("aligned");
}

bool complete(const Gathered &gathered) {
  const uint32_t wanted = gathered.mask & gathered.warp->live;
  return (gathered.lanes & wanted) == wanted;
}

void finish(Gathered &gathered) {
  Warp &warp = *gathered.warp;
  Gathered **link = &warp.pending;
  while (*link != &gathered)
    link = &(*link)->next;
  *link = gathered.next;

  ++warp.block->collectives;
  if (!gathered.compute(gathered.closure, gathered))
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (gathered.has(lane))
        gathered.thread(lane).refused = true;
  warp.block->wake(gathered.waiting);
}

std::string apart(const Thread &thread, uint32_t mask, const Gathered &other, bool same) {
  return "lane " + std::to_string(thread.lane) + " comes here with the member mask " + hex(mask) + " while lane " +
         std::to_string(std::countr_zero(other.lanes & mask)) + " waits for it " +
         (same ? "with " : "elsewhere with ") + hex(other.mask);
}

/// The meeting that this lane belongs to, if one waits for it. A lane that waits for
/// us, at a place where we are expected, while we would wait for it here, is an error.
Gathered *meeting(Thread &thread, const SiteInfo &site, uint32_t mask) {
  const uint32_t self = 1u << thread.lane;
  for (Gathered *gathered = thread.warp->pending; gathered; gathered = gathered->next) {
    if (!(gathered->mask & self))
      continue;
    const bool same = sameOperation(*gathered->site, site);
    if (same && gathered->mask == mask)
      return gathered;
    if (!(gathered->lanes & mask))
      continue;
    thread.block->fail(Kind::Divergence, thread, apart(thread, mask, *gathered, same),
                       thread.block->numberOf(*gathered->site));
  }
  return nullptr;
}

void join(Gathered &gathered, Thread &thread, const uint64_t *in, uint64_t *out) {
  gathered.in[thread.lane] = in;
  gathered.out[thread.lane] = out;
  gathered.lanes |= 1u << thread.lane;
  if (complete(gathered))
    finish(gathered);
  else
    thread.block->wait(thread, gathered.waiting);
}

[[gnu::noinline]] void meet(Thread &thread, const SiteInfo &site, uint32_t mask, const uint64_t *in, uint64_t *out,
                            Compute compute, void *closure) {
  Gathered gathered;
  gathered.warp = thread.warp;
  gathered.site = &site;
  gathered.mask = mask;
  gathered.compute = compute;
  gathered.closure = closure;
  gathered.next = thread.warp->pending;
  thread.warp->pending = &gathered;
  join(gathered, thread, in, out);
}

} // namespace

void gather(Thread &thread, const SiteInfo &site, uint32_t mask, const uint64_t *in, uint64_t *out, Compute compute,
            void *closure) {
  if (!(mask >> thread.lane & 1))
    thread.block->fail(Kind::Invalid, thread,
                       "lane " + std::to_string(thread.lane) + " is not in its member mask " + hex(mask));
  if (Gathered *gathered = meeting(thread, site, mask))
    join(*gathered, thread, in, out);
  else
    meet(thread, site, mask, in, out, compute, closure);
  if (thread.refused)
    thread.block->giveUp(thread);
}

void needWholeWarp(Thread &thread) {
  const Warp &warp = *thread.warp;
  if (warp.live == ~0u)
    return;
  thread.block->fail(Kind::Divergence, thread,
                     "all 32 lanes of a warp execute this together, but warp " + std::to_string(warp.number) +
                         " has only " + std::to_string(std::popcount(warp.live)) +
                         (warp.members == ~0u ? " that have not ended" : " threads"));
}

void gathersWithout(Thread &thread) {
  const uint32_t self = 1u << thread.lane;
  for (Gathered *gathered = thread.warp->pending, *next; gathered; gathered = next) {
    next = gathered->next; // finish() takes this one out
    if (!(gathered->mask & self) || !complete(*gathered))
      continue;
    finish(*gathered);
  }
}

} // namespace nvemu
