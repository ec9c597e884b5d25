//===- CopyAsync.cpp - cp.async -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// .ca, .cg and the L2 hints choose caches, which nothing here depends on.
//
//===----------------------------------------------------------------------===//

#include "../Block.h"
#include "Copies.h"
#include "Families.h"
#include "MBarrier.h"
#include "Modifiers.h"
#include "Place.h"

#include <cstring>

namespace nvemu {

namespace {

struct CopyInfo {
  uint32_t bytes;
  enum class Source : uint8_t { Whole, Bytes, IgnoredIf } source;
  ptx::Space globalSpace;
};

/// Bytes to read; the others become zero. `operand` is the fourth, if there is one.
uint32_t sourceBytes(Thread &thread, const CopyInfo &info, const uint64_t *operand) {
  switch (info.source) {
  case CopyInfo::Source::Whole:
    return info.bytes;
  case CopyInfo::Source::IgnoredIf:
    return *operand ? 0 : info.bytes;
  case CopyInfo::Source::Bytes:
    break;
  }
  if (uint32_t(*operand) > info.bytes)
    thread.block->fail(Kind::Invalid, thread,
                       "the source's size, " + std::to_string(uint32_t(*operand)) + " bytes, is more than the " +
                           std::to_string(info.bytes) + " that are copied");
  return uint32_t(*operand);
}

void start(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *) {
  Block &block = *thread.block;
  const CopyInfo info = kept<CopyInfo>(site);
  Copies::Copy copy{};
  copy.bytes = info.bytes;
  copy.sourceBytes = sourceBytes(thread, info, in + 3);
  copy.to = sharedOffset(thread, in[0], ptx::Space::Shared);
  copy.from = in[1];
  ++block.sharedAccesses;
  ++block.globalAccesses;
  BlockChecker::Access access{thread.number, thread.site, info.bytes, accessWrite};
  if (!block.checker->copyStart(access, copy.to, copy.bytes, copy.number, copy.from, copy.sourceBytes))
    block.giveUp(thread);
  state<Copies>(thread.copies).inFlight.push_back(copy);
}

void commitGroup(Thread &thread, const SiteInfo &, const uint64_t *, uint64_t *) {
  auto &copies = state<Copies>(thread.copies);
  copies.groupEnds.push_back(copies.issued());
}

void waitGroup(Thread &thread, const SiteInfo &, const uint64_t *in, uint64_t *) {
  auto &copies = state<Copies>(thread.copies);
  bool isOver = false;
  while (copies.groupEnds.size() > uint32_t(in[0])) {
    landCopies(thread, copies.groupEnds.front(), nullptr);
    copies.groupEnds.pop_front();
    isOver = true;
  }
  if (isOver)
    thread.block->checker->acquire(thread.number, copies.arrived);
}

void waitAll(Thread &thread, const SiteInfo &, const uint64_t *, uint64_t *) {
  auto &copies = state<Copies>(thread.copies);
  landCopies(thread, copies.issued(), nullptr);
  thread.block->checker->acquire(thread.number, copies.arrived);
  copies.groupEnds.clear();
}

bool findGroup(SiteInfo &site, Modifiers &modifiers, std::string &why) {
  const unsigned operands = modifiers.take("wait_group");
  if (operands)
    site.handler = waitGroup;
  else
    site.handler = modifiers.take("wait_all") ? waitAll : modifiers.take("commit_group") ? commitGroup : nullptr;
  site.inputs = operands;
  if (operands && site.instruction->operands.size() == 1 &&
      site.instruction->operands[0].kind != ptx::Operand::Kind::Integer) {
    why = "how many groups may be in flight is a number in the text";
    return false;
  }
  return modifiers.isEmpty(why) && hasOperands(*site.instruction, operands, operands, why);
}

bool isPredicate(const SiteInfo &site, const ptx::Operand &operand) {
  if (operand.kind != ptx::Operand::Kind::Register)
    return false;
  auto found = site.function->registers.find(operand.name);
  return found != site.function->registers.end() && found->second == ptx::Type::Pred;
}

bool findSize(const ptx::Operand &operand, bool isCg, uint32_t &bytes, std::string &why) {
  bytes = uint32_t(operand.bits);
  const bool isSize = operand.kind == ptx::Operand::Kind::Integer && (bytes == 16 || bytes == 4 || bytes == 8);
  if (isSize && (bytes == 16 || !isCg))
    return true;
  why = isCg ? "cp.async.cg copies 16 bytes" : "cp.async.ca copies 4, 8 or 16 bytes";
  return false;
}

bool findCopy(SiteInfo &site, Modifiers &modifiers, std::string &why) {
  const ptx::Instruction &instruction = *site.instruction;
  const std::optional<unsigned> cache = modifiers.takeOneOf({"ca", "cg"});
  const bool hasSpaces = (modifiers.take("shared") || modifiers.take("shared::cta")) && modifiers.take("global");
  if (!cache || !hasSpaces) {
    why = "only .ca or .cg from .global to .shared is understood";
    return false;
  }
  const bool hasPolicy = modifiers.take("L2::cache_hint");
  modifiers.takeOneOf({"L2::64B", "L2::128B", "L2::256B"});
  const unsigned least = 3 + hasPolicy;
  if (!modifiers.isEmpty(why) || !hasOperands(instruction, least, least + 1, why))
    return false;
  CopyInfo info{};
  if (!findSize(instruction.operands[2], *cache == 1, info.bytes, why))
    return false;
  if (instruction.operands.size() > least && instruction.operands[3].kind == ptx::Operand::Kind::Integer &&
      instruction.operands[3].bits > info.bytes) {
    why = "its source has more bytes than it copies";
    return false;
  }
  if (instruction.operands.size() == least)
    info.source = CopyInfo::Source::Whole;
  else
    info.source = isPredicate(site, instruction.operands[3]) ? CopyInfo::Source::IgnoredIf : CopyInfo::Source::Bytes;
  keep(site, info);
  site.handler = start;
  site.inputs = unsigned(instruction.operands.size());
  return true;
}

} // namespace

void landCopies(Thread &thread, uint64_t end, Clock *clock) {
  auto &copies = state<Copies>(thread.copies);
  Block &block = *thread.block;
  const bool any = copies.landed < end;
  if (any)
    block.changed();
  for (; copies.landed < end; ++copies.landed) {
    const Copies::Copy &copy = copies.inFlight.front();
    uint8_t *to = block.shared + copy.to;
    std::memset(to, 0, copy.bytes);
    if (copy.sourceBytes)
      std::memcpy(to, reinterpret_cast<const void *>(copy.from), copy.sourceBytes);
    if (clock)
      block.checker->copyDone(copy.number, *clock);
    else
      block.checker->copyDone(copy.number, thread.number);
    copies.inFlight.pop_front();
  }
  if (any && clock)
    copies.arrived = *clock;
}

bool findCopyAsync(SiteInfo &site, unsigned &results, std::string &why) {
  Modifiers modifiers(*site.instruction);
  results = 0;
  if (modifiers.take("reduce") || !modifiers.take("async") || modifiers.take("bulk")) {
    why = "bulk copies (TMA) of sm_90 are not modelled yet; use cp.async of 16 bytes";
    return false;
  }
  if (modifiers.take("mbarrier"))
    return findCopyArrive(site, modifiers, why);
  for (std::string_view name : {"commit_group", "wait_group", "wait_all"})
    if (site.instruction->has(name))
      return findGroup(site, modifiers, why);
  return findCopy(site, modifiers, why);
}

} // namespace nvemu
