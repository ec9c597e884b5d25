//===- Barrier.cpp - bar, barrier: the threads of a block meet ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, "bar, barrier" and "bar.warp.sync". A barrier counts in warps: as soon as
// one lane of a warp has come, lanes that have ended or never were count as come.
// Without a count it completes when every thread that has not ended has come.
//
//===----------------------------------------------------------------------===//

#include "../Block.h"
#include "Families.h"
#include "Modifiers.h"

#include <bit>

namespace nvemu {

namespace {

enum Action : uint64_t { actionSync, actionArrive, actionReduce };
enum Reduction : uint32_t { reduceNone, reduceAnd, reduceOr, reduceCount };

/// What the instruction says, from SiteInfo::data.
struct Arrival {
  Action action;
  Reduction reduction;
  bool aligned;
  uint32_t id = 0, expected = 0; // 0: all
  bool predicate = false;
};

Arrival arrivalOf(const SiteInfo &site, const uint64_t *in) {
  Arrival arrival{static_cast<Action>(site.data[0]), static_cast<Reduction>(site.data[1]), site.data[2] != 0};
  arrival.id = static_cast<uint32_t>(in[0]);
  const bool reduces = arrival.action == actionReduce;
  if (site.inputs - reduces > 1)
    arrival.expected = static_cast<uint32_t>(in[1]);
  if (reduces)
    arrival.predicate = in[site.inputs - 1] & 1;
  return arrival;
}

/// Threads that a barrier of all threads counts: whole warps.
uint32_t allThreads(const Block &block) { return static_cast<uint32_t>(block.warps.size()) * warpSize; }

/// Why an arrival is refused.
struct Fault {
  Kind kind = Kind::Barrier;
  std::string text;
  uint32_t otherSite = ~0u;
};

bool areValid(const Block &block, const Arrival &arrival, bool hasCount) {
  const uint32_t count = arrival.expected;
  return arrival.id < Block::barrierCount &&
         (!hasCount || (count && count % warpSize == 0 && count <= allThreads(block)));
}

Fault operandFault(const Block &block, const Arrival &arrival) {
  const std::string name = "barrier " + std::to_string(arrival.id);
  const std::string count = std::to_string(arrival.expected) + " threads";
  if (arrival.id >= Block::barrierCount)
    return {Kind::Invalid, "there is no " + name + ": a block has 0 to 15"};
  if (arrival.expected % warpSize || !arrival.expected)
    return {Kind::Invalid, name + " is to count " + count + ", which is not a positive multiple of 32"};
  return {Kind::Barrier,
          name + " is to count " + count + ", but the block has " + std::to_string(block.threads.size())};
}

/// Lanes of one warp come to an aligned barrier together or not at all.
bool isApart(const Thread &thread, const Arrival &arrival) {
  const Warp &warp = *thread.warp;
  return arrival.aligned && warp.atBarrier && (warp.barrierSite != thread.site || warp.barrierId != arrival.id);
}

Fault apartFault(const Thread &thread, const Arrival &arrival) {
  const Warp &warp = *thread.warp;
  const std::string other = std::to_string(std::countr_zero(warp.atBarrier));
  return {Kind::Divergence,
          "lane " + std::to_string(thread.lane) + " comes to barrier " + std::to_string(arrival.id) +
              " here while lane " + other + " of its warp waits at barrier " + std::to_string(warp.barrierId) +
              (warp.barrierSite == thread.site ? "" : " elsewhere"),
          warp.barrierSite};
}

uint32_t counted(const Block &block, uint32_t expected) { return expected ? expected : allThreads(block); }

/// Whoever comes to a barrier means the same by it as those who came before.
bool agrees(const Thread &thread, const Arrival &arrival, const Barrier &barrier) {
  const Block &block = *thread.block;
  return counted(block, arrival.expected) == counted(block, barrier.expected) &&
         arrival.reduction == barrier.reduction && !(barrier.lanes[thread.warp->number] >> thread.lane & 1);
}

Fault agreementFault(const Thread &thread, const Arrival &arrival, const Barrier &barrier) {
  const Block &block = *thread.block;
  const std::string name = "barrier " + std::to_string(arrival.id);
  const uint32_t here = counted(block, arrival.expected);
  const uint32_t there = counted(block, barrier.expected);
  if (here != there)
    return {Kind::Barrier,
            name + " counts " + std::to_string(here) + " threads here and " + std::to_string(there) +
                " where others have come to it",
            barrier.site};
  if (arrival.reduction != barrier.reduction)
    return {Kind::Barrier, name + " does not reduce the same here as where others have come to it", barrier.site};
  return {Kind::Barrier,
          "thread " + std::to_string(thread.number) + " comes to " + name + " a second time before it completes",
          barrier.site};
}

[[noreturn]] void refuse(Thread &thread, Fault fault) {
  thread.block->report(fault.kind, thread, std::move(fault.text), fault.otherSite);
  fault = Fault();
  thread.block->giveUp(thread);
}

/// Whether all have come that it waits for.
bool isComplete(const Block &block, const Barrier &barrier) {
  uint32_t come = 0, all = 0;
  for (const Warp &warp : block.warps) {
    const uint32_t lanes = barrier.lanes[warp.number];
    if (lanes)
      come += warpSize - static_cast<uint32_t>(std::popcount(warp.live & ~lanes));
    if (lanes || warp.live)
      all += warpSize;
  }
  return come >= (barrier.expected ? barrier.expected : all);
}

uint64_t reduced(const Barrier &barrier) {
  switch (barrier.reduction) {
  case reduceAnd:
    return barrier.count == barrier.participants.size();
  case reduceOr:
    return barrier.count != 0;
  default:
    return barrier.count;
  }
}

void complete(Block &block, Barrier &barrier) {
  ++block.barriersDone;
  for (const Barrier::Participant &participant : barrier.participants) {
    if (!participant.waits)
      continue;
    block.checker->acquire(participant.thread->number, barrier.clock);
    if (participant.out)
      *participant.out = reduced(barrier);
  }
  uint32_t waiting[32] = {};
  for (const Barrier::Participant &participant : barrier.participants)
    if (participant.waits)
      waiting[participant.thread->warp->number] |= 1u << participant.thread->lane;
  for (Warp &warp : block.warps) {
    if (waiting[warp.number])
      block.checker->syncWarp(warp.number, waiting[warp.number]);
    warp.atBarrier &= ~waiting[warp.number];
    barrier.lanes[warp.number] = 0;
  }
  barrier.participants.clear();
  barrier.count = 0;
  barrier.clock.clear();
  block.wake(barrier.waiting);
}

void arrive(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  Block &block = *thread.block;
  Warp &warp = *thread.warp;
  const Arrival arrival = arrivalOf(site, in);
  const bool hasCount = site.inputs - (arrival.action == actionReduce) > 1;
  if (!areValid(block, arrival, hasCount))
    refuse(thread, operandFault(block, arrival));
  if (isApart(thread, arrival))
    refuse(thread, apartFault(thread, arrival));
  Barrier &barrier = block.barriers[arrival.id];
  if (!barrier.participants.empty()) {
    if (!agrees(thread, arrival, barrier))
      refuse(thread, agreementFault(thread, arrival, barrier));
  } else {
    barrier.expected = arrival.expected;
    barrier.reduction = arrival.reduction;
    barrier.site = thread.site;
  }

  const bool waits = arrival.action != actionArrive;
  barrier.participants.push_back({&thread, waits, waits && site.outputs ? out : nullptr});
  barrier.lanes[warp.number] |= 1u << thread.lane;
  barrier.count += arrival.predicate;
  block.checker->release(thread.number, barrier.clock);
  if (waits && arrival.aligned) {
    warp.atBarrier |= 1u << thread.lane;
    warp.barrierSite = thread.site;
    warp.barrierId = arrival.id;
  }
  if (isComplete(block, barrier))
    complete(block, barrier);
  else if (waits)
    block.wait(thread, barrier.waiting);
}

void syncWarp(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  collective(thread, site, static_cast<uint32_t>(in[0]), in, out, [](Gathered &gathered) {
    gathered.warp->block->checker->syncWarp(gathered.warp->number, gathered.lanes);
  });
}

bool findWarpSync(Modifiers &modifiers, SiteInfo &site, std::string &why) {
  site.handler = syncWarp;
  if (!modifiers.take("sync")) {
    why = "only .warp.sync is known of .warp";
    return false;
  }
  site.inputs = 1;
  return modifiers.isEmpty(why) && hasOperands(*site.instruction, 1, 1, why);
}

/// What stands behind .red: the operation and the type.
bool takeReduction(Modifiers &modifiers, uint64_t &reduction, std::string &why) {
  const std::optional<unsigned> which = modifiers.takeOneOf({"and", "or", "popc"});
  reduction = which.value_or(0) + reduceAnd;
  if (which && modifiers.take(reduction == reduceCount ? "u32" : "pred"))
    return true;
  why = "a reduction is .popc.u32, .and.pred or .or.pred";
  return false;
}

} // namespace

void barriersWithout(Thread &thread) {
  for (Barrier &barrier : thread.block->barriers)
    if (!barrier.participants.empty() && isComplete(*thread.block, barrier))
      complete(*thread.block, barrier);
}

/// What can be said of a barrier's number and of how many come to it before it runs.
static bool areNumbersRight(const ptx::Instruction &instruction, unsigned results, std::string &why) {
  const auto &operands = instruction.operands;
  const bool hasPredicate = results > 0, hasCount = operands.size() - results - hasPredicate > 1;
  const ptx::Operand &id = operands[results];
  if (id.kind == ptx::Operand::Kind::Integer && id.bits >= Block::barrierCount)
    why = "its barrier is one of 0 to 15";
  else if (hasCount && operands[results + 1].kind == ptx::Operand::Kind::Integer &&
           operands[results + 1].bits % warpSize)
    why = "the number of its threads is a multiple of 32";
  return why.empty();
}

bool findBarrier(SiteInfo &site, unsigned &results, std::string &why) {
  const ptx::Instruction &instruction = *site.instruction;
  Modifiers modifiers(instruction);
  results = 0;
  if (instruction.opcode == "bar" && modifiers.take("warp"))
    return findWarpSync(modifiers, site, why);
  modifiers.take("cta");
  const std::optional<unsigned> action = modifiers.takeOneOf({"sync", "arrive", "red"});
  if (!action) {
    why = "barriers of a cluster are not known, and one of a block is .sync, .arrive or .red";
    return false;
  }
  const bool aligned = instruction.opcode == "bar" || modifiers.take("aligned");
  results = action == actionReduce;
  if (results && !takeReduction(modifiers, site.data[1], why))
    return false;
  if (!modifiers.isEmpty(why))
    return false;
  const unsigned least = action == actionSync ? 1 : action == actionArrive ? 2 : 3;
  const unsigned most = action == actionReduce ? 4 : 2;
  site.data[0] = *action;
  site.data[2] = aligned;
  site.handler = arrive;
  if (!hasOperands(instruction, least, most, why) || !areNumbersRight(instruction, results, why))
    return false;
  site.outputs = results;
  site.inputs = static_cast<unsigned>(instruction.operands.size()) - results;
  return true;
}

} // namespace nvemu
