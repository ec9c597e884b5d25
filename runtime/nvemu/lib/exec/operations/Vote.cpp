//===- Vote.cpp - vote, match, activemask, elect --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, "vote.sync", "match.sync", "activemask" and "elect.sync". None of them
// orders memory accesses.
//
//===----------------------------------------------------------------------===//

#include "../Block.h"
#include "Families.h"
#include "Modifiers.h"

#include <bit>

namespace nvemu {

namespace {

enum VoteKind : uint64_t { voteAll, voteAny, voteUniform, voteBallot };

uint64_t counted(VoteKind kind, uint32_t votes, uint32_t lanes) {
  switch (kind) {
  case voteAll:
    return votes == lanes;
  case voteAny:
    return votes != 0;
  case voteUniform:
    return votes == 0 || votes == lanes;
  case voteBallot:
    return votes;
  }
  return 0;
}

template <class F>
void forLanes(const Gathered &gathered, F &&function) {
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (gathered.has(lane))
      function(lane);
}

void vote(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  const auto kind = static_cast<VoteKind>(site.data[0]);
  collective(thread, site, static_cast<uint32_t>(in[1]), in, out, [=](Gathered &gathered) {
    uint32_t votes = 0;
    forLanes(gathered, [&](unsigned lane) { votes |= static_cast<uint32_t>(gathered.in[lane][0] & 1) << lane; });
    const uint64_t result = counted(kind, votes, gathered.lanes);
    forLanes(gathered, [&](unsigned lane) { gathered.out[lane][0] = result; });
  });
}

void matchAny(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  collective(thread, site, static_cast<uint32_t>(in[1]), in, out, [](Gathered &gathered) {
    forLanes(gathered, [&](unsigned lane) {
      uint32_t same = 0;
      forLanes(gathered,
               [&](unsigned other) { same |= uint32_t(gathered.in[other][0] == gathered.in[lane][0]) << other; });
      gathered.out[lane][0] = same;
    });
  });
}

void matchAll(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  const bool hasPredicate = site.outputs > 1;
  collective(thread, site, static_cast<uint32_t>(in[1]), in, out, [=](Gathered &gathered) {
    const uint64_t first = gathered.in[std::countr_zero(gathered.lanes)][0];
    bool same = true;
    forLanes(gathered, [&](unsigned lane) { same &= gathered.in[lane][0] == first; });
    forLanes(gathered, [&](unsigned lane) {
      gathered.out[lane][0] = same ? gathered.lanes : 0;
      if (hasPredicate)
        gathered.out[lane][1] = same;
    });
  });
}

void elect(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  const bool hasPredicate = site.outputs > 1;
  collective(thread, site, static_cast<uint32_t>(in[0]), in, out, [=](Gathered &gathered) {
    const auto leader = static_cast<unsigned>(std::countr_zero(gathered.lanes));
    forLanes(gathered, [&](unsigned lane) {
      gathered.out[lane][0] = leader;
      if (hasPredicate)
        gathered.out[lane][1] = lane == leader;
    });
  });
}

void activeMask(Thread &thread, const SiteInfo &, const uint64_t *, uint64_t *out) {
  thread.block->waitForConvergence(thread);
  out[0] = thread.converged;
}

bool needsSync(Modifiers &modifiers, std::string &why) {
  if (modifiers.take("sync"))
    return true;
  why = "the form without .sync is not for sm_70 and later";
  return false;
}

/// Of an instruction with one result, which may be a pair, and some inputs.
bool finish(Modifiers &modifiers, SiteInfo &site, unsigned inputs, std::string &why) {
  site.inputs = inputs;
  site.outputs = flattened(*site.instruction, 0, 1);
  return modifiers.isEmpty(why) && hasOperands(*site.instruction, inputs + 1, inputs + 1, why);
}

} // namespace

bool findVote(SiteInfo &site, unsigned &results, std::string &why) {
  Modifiers modifiers(*site.instruction);
  if (!needsSync(modifiers, why))
    return false;
  const std::optional<unsigned> kind = modifiers.takeOneOf({"all", "any", "uni", "ballot"});
  if (!kind || !modifiers.take(kind == voteBallot ? "b32" : "pred")) {
    why = "a vote is .all.pred, .any.pred, .uni.pred or .ballot.b32";
    return false;
  }
  site.data[0] = *kind;
  site.handler = vote;
  results = 1;
  return finish(modifiers, site, 2, why);
}

bool findMatch(SiteInfo &site, unsigned &results, std::string &why) {
  Modifiers modifiers(*site.instruction);
  const std::optional<unsigned> kind = modifiers.takeOneOf({"any", "all"});
  if (!kind || !modifiers.take("sync") || !modifiers.takeOneOf({"b32", "b64"})) {
    why = "a match is .any.sync or .all.sync of .b32 or .b64";
    return false;
  }
  site.handler = kind == 0 ? matchAny : matchAll;
  results = 1;
  return finish(modifiers, site, 2, why);
}

bool findElect(SiteInfo &site, unsigned &results, std::string &why) {
  Modifiers modifiers(*site.instruction);
  if (!needsSync(modifiers, why))
    return false;
  site.handler = elect;
  results = 1;
  return finish(modifiers, site, 1, why);
}

bool findActiveMask(SiteInfo &site, unsigned &results, std::string &why) {
  Modifiers modifiers(*site.instruction);
  site.handler = activeMask;
  results = 1;
  if (!modifiers.take("b32")) {
    why = "it lacks .b32";
    return false;
  }
  return finish(modifiers, site, 0, why);
}

} // namespace nvemu
