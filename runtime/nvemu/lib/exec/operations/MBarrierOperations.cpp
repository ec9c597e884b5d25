//===- MBarrierOperations.cpp - the opcode mbarrier -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../Block.h"
#include "Families.h"
#include "MBarrier.h"
#include "Place.h"

#include <cstring>

namespace nvemu {

namespace {

struct Info {
  ptx::Space space;
  bool relaxed; // orders nothing
  bool drops;   // arrive_drop
  bool expectsBytes;
  bool noComplete;
  bool parity; // the wait is for a parity, not for a state
  bool blocks; // try_wait
  bool hasCount;
};

void init(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *) {
  Block &block = *thread.block;
  const uint64_t offset = sharedOffset(thread, in[0], kept<Info>(site).space);
  const auto count = uint32_t(in[1]);
  if (!count || count > MBarrier::mostCount)
    block.fail(Kind::Invalid, thread, "an mbarrier expects 1 to 1048575 arrivals, and not " + std::to_string(count));
  block.access(thread, offset, ptx::Space::Shared, 8, accessWrite);
  auto &all = state<MBarriers>(block.mbarriers).at;
  if (auto found = all.find(offset); found != all.end())
    block.fail(Kind::Barrier, thread,
               "there is an mbarrier at " + std::to_string(offset) +
                   " of shared memory already: mbarrier.inval has to come before another mbarrier.init",
               found->second.site);
  MBarrier &barrier = all[offset];
  barrier.expected = barrier.pending = count;
  barrier.site = thread.site;
  settle(block, offset, barrier);
}

void inval(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *) {
  Block &block = *thread.block;
  const uint64_t offset = sharedOffset(thread, in[0], kept<Info>(site).space);
  block.access(thread, offset, ptx::Space::Shared, 8, accessWrite);
  auto &all = state<MBarriers>(block.mbarriers).at;
  auto found = all.find(offset);
  if (found == all.end())
    block.fail(Kind::Barrier, thread,
               "there is no mbarrier at " + std::to_string(offset) + " of shared memory that could be made invalid");
  if (!found->second.waiting.empty() || !found->second.copyArrivals.empty())
    block.fail(Kind::Barrier, thread,
               "the mbarrier at " + std::to_string(offset) + " of shared memory is made invalid while it is in use",
               found->second.site);
  all.erase(found);
}

void expectBytes(Thread &thread, MBarrier &barrier, int64_t bytes) {
  barrier.bytes += bytes;
  if (barrier.bytes > int64_t(MBarrier::mostCount) || barrier.bytes < -int64_t(MBarrier::mostCount))
    thread.block->fail(Kind::Barrier, thread,
                       "the tx-count of the mbarrier becomes " + std::to_string(barrier.bytes) +
                           ", and it has at most 1048575",
                       barrier.site);
}

void arriveHere(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  Block &block = *thread.block;
  const Info info = kept<Info>(site);
  uint64_t address = in[0];
  MBarrier &barrier = findMBarrier(thread, address, info.space, accessWrite);
  const uint32_t count = info.hasCount ? uint32_t(in[1]) : 1;
  if (!info.relaxed)
    block.checker->release(thread.number, barrier.arriving);
  if (info.expectsBytes)
    expectBytes(thread, barrier, uint32_t(in[1]));
  out[0] = barrier.state();
  arrive(thread, barrier, count);
  if (info.drops)
    barrier.expected -= count;
  if (info.noComplete && !barrier.pending)
    block.fail(Kind::Barrier, thread, "an arrival with .noComplete is the last one of the mbarrier's phase",
               barrier.site);
  settle(block, address, barrier);
}

void expectTx(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *) {
  uint64_t address = in[0];
  MBarrier &barrier = findMBarrier(thread, address, kept<Info>(site).space, accessWrite);
  expectBytes(thread, barrier, uint32_t(in[1]));
  settle(*thread.block, address, barrier);
}

void completeTx(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *) {
  uint64_t address = in[0];
  MBarrier &barrier = findMBarrier(thread, address, kept<Info>(site).space, accessWrite);
  expectBytes(thread, barrier, -int64_t(uint32_t(in[1])));
  settle(*thread.block, address, barrier);
}

/// Whether the phase that the operand names is complete (PTX ISA,
/// "mbarrier.test_wait": the current phase, or the one before it).
bool isComplete(Thread &thread, const Info &info, const MBarrier &barrier, uint64_t operand) {
  if (info.parity) {
    if (uint32_t(operand) > 1)
      thread.block->fail(Kind::Invalid, thread,
                         "a phase's parity is 0 or 1, and not " + std::to_string(uint32_t(operand)));
    return (barrier.phase & 1) != operand;
  }
  const uint64_t phase = operand >> 20;
  if (phase != barrier.phase && phase + 1 != barrier.phase)
    thread.block->fail(Kind::Barrier, thread,
                       "the state is of phase " + std::to_string(phase) + " while the mbarrier is in phase " +
                           std::to_string(barrier.phase) + ": only this and the one before can be waited for",
                       barrier.site);
  return phase != barrier.phase;
}

void wait(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  Block &block = *thread.block;
  const Info info = kept<Info>(site);
  for (;;) {
    // Looked up each time: while the thread waits others may make it invalid.
    uint64_t address = in[0];
    MBarrier &barrier = findMBarrier(thread, address, info.space, accessRead);
    if (!isComplete(thread, info, barrier, in[1]))
      landArrivals(thread, address, barrier);
    out[0] = isComplete(thread, info, barrier, in[1]);
    if (out[0]) {
      if (!info.relaxed)
        block.checker->acquire(thread.number, barrier.completed);
      return;
    }
    if (!info.blocks)
      return block.yield(thread);
    block.wait(thread, barrier.waiting);
  }
}

void pendingCount(Thread &, const SiteInfo &, const uint64_t *in, uint64_t *out) {
  out[0] = in[0] & MBarrier::mostCount;
}

struct Form {
  std::string_view name;
  void (*handler)(Thread &, const SiteInfo &, const uint64_t *, uint64_t *);
  uint8_t results, least, most; // operands
  bool isOrdered;               // may have .sem and .scope
};

constexpr Form forms[] = {
    {"init", init, 0, 2, 2, false},
    {"inval", inval, 0, 1, 1, false},
    {"arrive", arriveHere, 1, 2, 3, true},
    {"arrive_drop", arriveHere, 1, 2, 3, true},
    {"test_wait", wait, 1, 3, 3, true},
    {"try_wait", wait, 1, 3, 4, true},
    {"expect_tx", expectTx, 0, 2, 2, true},
    {"complete_tx", completeTx, 0, 2, 2, true},
    {"pending_count", pendingCount, 1, 2, 2, false},
};

const Form *takeForm(Modifiers &modifiers) {
  for (const Form &form : forms)
    if (modifiers.take(form.name))
      return &form;
  return nullptr;
}

bool readInfo(Modifiers &modifiers, const Form &form, Info &info, std::string &why) {
  const std::optional<ptx::Space> space = modifiers.takeSpace();
  if (!space || *space == ptx::Space::Global) {
    why = "mbarriers of other blocks of a cluster are not modelled; use .shared::cta";
    return false;
  }
  info.space = *space;
  if (form.isOrdered) {
    info.relaxed = modifiers.take("relaxed");
    modifiers.takeOneOf({form.handler == wait ? "acquire" : form.handler == arriveHere ? "release" : "relaxed"});
    modifiers.takeOneOf({"cta", "cluster"});
  }
  if (form.handler == arriveHere) {
    info.drops = form.name == "arrive_drop";
    info.noComplete = modifiers.take("noComplete");
    info.expectsBytes = modifiers.take("expect_tx");
  }
  info.parity = form.handler == wait && modifiers.take("parity");
  info.blocks = form.name == "try_wait";
  if (modifiers.take("b64"))
    return modifiers.isEmpty(why);
  why = "it lacks .b64";
  return false;
}

} // namespace

bool findMBarrier(SiteInfo &site, unsigned &results, std::string &why) {
  const ptx::Instruction &instruction = *site.instruction;
  Modifiers modifiers(instruction);
  const Form *form = takeForm(modifiers);
  if (!form) {
    why = "it is not one of init, inval, arrive, arrive_drop, expect_tx, complete_tx, test_wait, try_wait, "
          "pending_count";
    return false;
  }
  Info info{};
  if (!readInfo(modifiers, *form, info, why))
    return false;
  const bool needsCount = info.noComplete || info.expectsBytes;
  if (!hasOperands(instruction, form->least + needsCount, form->most, why))
    return false;
  const ptx::Operand &last = instruction.operands.back();
  if (last.kind == ptx::Operand::Kind::Integer) {
    if (info.parity && instruction.operands.size() == 3 && last.bits > 1) {
      why = "its parity is 0 or 1";
      return false;
    }
    if (form->handler == arriveHere && !info.expectsBytes && int64_t(last.bits) <= 0) {
      why = "its count is a positive number";
      return false;
    }
  }
  info.hasCount = form->handler == arriveHere && instruction.operands.size() == 3 && !info.expectsBytes;
  keep(site, info);
  site.handler = form->handler;
  results = site.outputs = form->results;
  site.inputs = unsigned(instruction.operands.size()) - form->results;
  return true;
}

} // namespace nvemu
