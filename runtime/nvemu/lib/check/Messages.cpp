//===- Messages.cpp - the words of findings about accesses ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Launch.h"

using namespace nvemu;

static std::string bytesText(uint64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

static std::string indexText(Dim3 index, bool onlyX) {
  std::string text = std::to_string(index.x);
  return onlyX ? text : text + "," + std::to_string(index.y) + "," + std::to_string(index.z);
}

static uint32_t siteNumber(uint32_t packed) { return packed == 0xfffff ? ~0u : packed; }

//===-- Names -------------------------------------------------------------===//

Dim3 BlockChecker::Impl::threadIndex(ThreadId thread) const {
  return {thread % size.x, thread / size.x % size.y, thread / size.x / size.y};
}

std::string BlockChecker::Impl::threadName(ThreadId thread) const {
  if (thread >= firstAgent)
    return "an asynchronous copy";
  return "thread " + indexText(threadIndex(thread), size.y == 1 && size.z == 1);
}

std::string BlockChecker::Impl::sharedPlace(uint64_t offset, uint32_t bytes) const {
  return "shared memory at " + std::to_string(offset) + " (" + bytesText(bytes) + ")";
}

std::string BlockChecker::Impl::globalPlace(const Region &region, uint64_t address, uint32_t bytes) {
  return "global memory at offset " + std::to_string(address - region.base) + " of a buffer of " +
         bytesText(region.bytes) + " (" + bytesText(bytes) + ")";
}

//===-- Accesses that must not happen -------------------------------------===//

bool BlockChecker::Impl::report(Kind kind, const Access &access, std::string message, uint32_t otherSite) {
  findings.add(kind, access.site, std::move(message), index, threadIndex(access.thread), true, otherSite);
  return false;
}

static std::string whatItDoes(const BlockChecker::Access &access) {
  return (access.flags & accessWrite ? "writes " : "reads ") + bytesText(access.bytes);
}

/// ": the last 4 of them are outside".
static std::string outside(uint64_t first, uint64_t bytes, uint64_t size) {
  if (first >= size)
    return ": all of them are past the end";
  return ": the last " + std::to_string(bytes - (size - first)) + " of them are past the end";
}

static std::string mustBeMultiple(uint32_t of) { return ", which has to be a multiple of " + std::to_string(of); }

bool BlockChecker::Impl::badShared(const Access &access, uint64_t offset) {
  bool within = access.bytes <= sharedBytes && offset <= sharedBytes - access.bytes;
  Kind kind = within ? Kind::Misaligned : Kind::OutOfBounds;
  if (findings.again(kind, access.site))
    return false;
  std::string text = whatItDoes(access) + " at " + std::to_string(offset) + " of shared memory";
  if (within)
    return report(kind, access, text + mustBeMultiple(alignmentOf(access)));
  if (!sharedBytes)
    return report(kind, access, text + ", but the block has none");
  return report(kind, access,
                text + ", of which the block has " + bytesText(sharedBytes) +
                    outside(offset, access.bytes, sharedBytes));
}

bool BlockChecker::Impl::badGlobal(const Access &access, uint64_t address) {
  std::shared_ptr<Region> region = regionAt(address);
  bool within = region && region->holds(address, access.bytes);
  Kind kind = within ? Kind::Misaligned : Kind::OutOfBounds;
  if (findings.again(kind, access.site))
    return false;
  if (!region)
    region = regionNear(address);
  std::string text = whatItDoes(access);
  if (!region) {
    bool null = address < 4096;
    return report(kind, access,
                  text + " of global memory at " + (null ? std::to_string(address) : "an address") +
                      (null ? ", a null pointer or close to one" : " that is in no buffer"));
  }
  std::string buffer = " of a buffer of " + bytesText(region->bytes);
  if (address < region->base)
    return report(kind, access,
                  text + " of global memory " + bytesText(region->base - address) + " before the start" + buffer);
  uint64_t offset = address - region->base;
  text += " of global memory at offset " + std::to_string(offset) + buffer;
  return report(kind, access,
                text + (within ? mustBeMultiple(alignmentOf(access)) : outside(offset, access.bytes, region->bytes)));
}

//===-- Races and the like ------------------------------------------------===//

void BlockChecker::Impl::uninitialised(const Access &access, const std::string &place) {
  if (!findings.again(Kind::Uninitialized, access.site))
    report(Kind::Uninitialized, access, place + " is read here, and some of it was never written");
}

static std::string whatHappensHere(const BlockChecker::Access &access, Role role) {
  if (access.atomic)
    return "is updated by an atomic here";
  if (isWrite(role))
    return role == Role::Write ? "is written here" : "is written by a strong store here";
  return isStrong(role) ? "is read by a strong load here" : "is read here";
}

static std::string whatHappened(Role role) {
  switch (role) {
  case Role::Read:
    return "was read";
  case Role::ReadCta:
  case Role::ReadGpu:
    return "was read by a strong load";
  case Role::ReadOnly:
    return "was read as read-only (ld.global.nc)";
  case Role::Write:
    return "was written";
  case Role::WriteCta:
  case Role::WriteGpu:
    return "was written by an atomic or a strong store";
  }
  return "was touched";
}

void BlockChecker::Impl::conflictAt(const Conflict &conflict, const Access &access, Role role,
                                    const std::string &place) {
  Kind kind = conflict.inFlight ? Kind::AsyncInFlight : Kind::Race;
  if (findings.again(kind, access.site))
    return;
  bool sameBlock = conflict.block == number;
  std::string who = threadName(conflict.id);
  if (conflict.id == access.thread && sameBlock)
    who = "the same thread";
  if (!sameBlock) {
    Dim3 other = conflict.block < launch.blocks.size() ? launch.blocks[conflict.block] : Dim3{conflict.block, 0, 0};
    who += " of block " + indexText(other, false);
  }
  std::string text = place + " " + whatHappensHere(access, role);
  uint32_t otherSite = siteNumber(conflict.site);
  if (conflict.inFlight) {
    text += std::string(", while an asynchronous copy ") + (isWrite(conflict.role) ? "into" : "from") + " it that " +
            who + " started is under way, before wait_group or a wait on its mbarrier";
    report(kind, access, text, otherSite);
    return;
  }
  text += " and " + whatHappened(conflict.role) + " by " + who;
  bool sameWarp = sameBlock && conflict.id / warpLanes == access.thread / warpLanes;
  if (conflict.role == Role::ReadOnly || role == Role::ReadOnly)
    text += ": nobody may write what ld.global.nc reads during the launch";
  else if (!sameBlock && isStrong(role) && isStrong(conflict.role))
    text += ": the scope of one of them is the block alone";
  else if (!sameBlock)
    text += ", with no release and acquire of gpu scope between";
  else if (conflict.id >= firstAgent)
    text += ", with no wait on its mbarrier between";
  else if (sameWarp)
    text += " of the same warp, with no barrier and no bar.warp.sync between";
  else
    text += ", with no barrier between";
  report(kind, access, text, otherSite);
}

//===-- In the words of others --------------------------------------------===//

bool BlockChecker::report(Kind kind, uint32_t site, std::string message, ThreadId thread, uint32_t otherSite) {
  return impl->findings.add(kind, site, std::move(message), impl->index, impl->threadIndex(thread), true, otherSite);
}

bool BlockChecker::reportBlock(Kind kind, uint32_t site, std::string message, uint32_t otherSite) {
  return impl->findings.add(kind, site, std::move(message), impl->index, Dim3{}, false, otherSite);
}
