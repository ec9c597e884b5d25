//===- Atomic.cpp - atom and red ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// What .acquire, .release, fences and scopes order is the checker's knowledge of
// the location. Blocks on several host threads come to a global location one after
// another: what the checker learns and what the location holds stay in step.
//
//===----------------------------------------------------------------------===//

#include "../Block.h"
#include "../Launch.h"
#include "Combine.h"
#include "Families.h"
#include "Modifiers.h"

#include <atomic>
#include <mutex>

namespace nvemu {

namespace {

using ptx::Type;

struct Atomic {
  Combine operation;
  uint8_t elements; // of a vector
  uint8_t bytes;    // of one element
  bool hasResult;
  Type type;
  ptx::Space space;
  uint32_t flags;
};

struct Updated {
  uint64_t old;
  bool changed;
};

template <class Word>
Updated update(void *place, const Atomic &atomic, bool flush, uint64_t b, uint64_t c) {
  std::atomic_ref<Word> word(*static_cast<Word *>(place));
  Word old = word.load(), next = old;
  // A compare-and-swap that fails must not write: another host thread may store meanwhile.
  do {
    if (atomic.operation == Combine::Cas && old != Word(b))
      return {old, false};
    next = Word(combine(atomic.operation, atomic.type, flush, old, b, c));
  } while (!word.compare_exchange_weak(old, next));
  return {old, next != old};
}

Updated update(void *place, const Atomic &atomic, bool flush, uint64_t b, uint64_t c) {
  switch (atomic.bytes) {
  case 2:
    return update<uint16_t>(place, atomic, flush, b, c);
  case 4:
    return update<uint32_t>(place, atomic, flush, b, c);
  default:
    return update<uint64_t>(place, atomic, flush, b, c);
  }
}

/// False: reported, and nothing was done.
bool perform(Thread &thread, const Atomic &atomic, uint64_t address, ptx::Space space, const uint64_t *in,
             uint64_t *out) {
  auto *place = static_cast<uint8_t *>(thread.block->tryAccess(
      thread, address, space, uint32_t(atomic.bytes) * atomic.elements, atomic.flags, /*atomic=*/true));
  if (!place)
    return false;
  const bool flush = space != ptx::Space::Shared;
  for (unsigned i = 0; i < atomic.elements; ++i) {
    const uint64_t c = atomic.operation == Combine::Cas ? in[1 + atomic.elements + i] : 0;
    const Updated updated = update(place + size_t(i) * atomic.bytes, atomic, flush, in[1 + i], c);
    if (updated.changed)
      thread.block->changed();
    if (atomic.hasResult)
      out[i] = updated.old;
  }
  return true;
}

bool performAlone(Thread &thread, const Atomic &atomic, uint64_t address, ptx::Space space, const uint64_t *in,
                  uint64_t *out) {
  static std::mutex locks[64];
  std::lock_guard<std::mutex> guard(locks[address / 32 % std::size(locks)]);
  return perform(thread, atomic, address, space, in, out);
}

void run(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  Block &block = *thread.block;
  const Atomic atomic = kept<Atomic>(site);
  uint64_t address = in[0];
  const ptx::Space space = Block::resolve(address, atomic.space);
  if (space == ptx::Space::Local)
    block.fail(Kind::Invalid, thread, "the address is one of local memory, which has no atomic operations");
  const bool alone = space != ptx::Space::Shared && block.launch.options.hostThreads > 1;
  if (!(alone ? performAlone : perform)(thread, atomic, address, space, in, out))
    block.giveUp(thread);
}

bool isOneOf(Type type, std::initializer_list<Type> types) {
  for (Type candidate : types)
    if (candidate == type)
      return true;
  return false;
}

/// Whether the PTX ISA has the operation for one number of the type ("atom", "red").
bool isDefined(const Atomic &atomic, bool isRed, bool noftz) {
  const Type type = atomic.type;
  const bool isSmallFloat = isOneOf(type, {Type::F16, Type::F16x2, Type::BF16, Type::BF16x2});
  if (noftz != isSmallFloat)
    return false;
  switch (atomic.operation) {
  case Combine::And:
  case Combine::Or:
  case Combine::Xor:
    return isOneOf(type, {Type::B32, Type::B64});
  case Combine::Exch:
    return !isRed && isOneOf(type, {Type::B32, Type::B64});
  case Combine::Cas:
    return !isRed && isOneOf(type, {Type::B16, Type::B32, Type::B64});
  case Combine::Inc:
  case Combine::Dec:
    return type == Type::U32;
  case Combine::Min:
  case Combine::Max:
    return isOneOf(type, {Type::U32, Type::S32, Type::U64, Type::S64}) || (isSmallFloat && atomic.elements > 1);
  case Combine::Add:
    return isSmallFloat || isOneOf(type, {Type::U32, Type::S32, Type::U64, Type::F32, Type::F64});
  }
  return false;
}

/// Of vectors: 16 bytes at most, of .global memory.
bool isDefinedVector(const Atomic &atomic) {
  const unsigned bytes = unsigned(atomic.elements) * atomic.bytes;
  if (atomic.elements == 1)
    return true;
  if (atomic.space == ptx::Space::Shared || bytes > 16)
    return false;
  return atomic.type == Type::F32 ? atomic.operation == Combine::Add
                                  : isOneOf(atomic.type, {Type::F16, Type::F16x2, Type::BF16, Type::BF16x2});
}

bool read(const ptx::Instruction &instruction, Atomic &atomic, bool &hasPolicy, std::string &why) {
  Modifiers modifiers(instruction);
  if (modifiers.take("async")) {
    why = "asynchronous reductions of sm_90 are not modelled; use red.shared";
    return false;
  }
  std::optional<ptx::Space> space = modifiers.takeSpace();
  if (!space) {
    why = "memory of other blocks of a cluster is not modelled; use .shared::cta";
    return false;
  }
  atomic.space = *space;
  atomic.flags = accessWrite | accessVolatile | modifiers.takeOrder(accessScopeGpu);
  hasPolicy = modifiers.take("L2::cache_hint");
  std::optional<unsigned> vector = modifiers.takeOneOf({"v2", "v4", "v8"});
  atomic.elements = vector ? uint8_t(2u << *vector) : 1;
  const bool noftz = modifiers.take("noftz");
  std::optional<Combine> operation;
  std::optional<Type> type;
  for (const std::string &name : modifiers.rest()) // in either order, once each
    if (std::optional<Combine> found = combineNamed(name); found && !operation)
      operation = found;
    else if (std::optional<Type> known = ptx::typeNamed(name); known && !type)
      type = known;
    else {
      why = "the modifier ." + name + " is not one that it understands here";
      return false;
    }
  if (type == Type::B128) {
    why = "128-bit atomics are not modelled; use two of 64 bits and a lock";
    return false;
  }
  if (!operation || !type) {
    why = "it is not one operation of and, or, xor, exch, cas, add, inc, dec, min, max with one type";
    return false;
  }
  atomic.operation = *operation;
  atomic.type = *type;
  atomic.bytes = uint8_t(ptx::bitsOf(*type) / 8);
  atomic.hasResult = instruction.opcode == "atom";
  if (!atomic.hasResult && (atomic.flags & accessAcquire)) {
    why = "red is .relaxed or .release";
    return false;
  }
  if (hasPolicy && atomic.space == ptx::Space::Shared) {
    why = "hints for caches are for global memory";
    return false;
  }
  if (isDefined(atomic, !atomic.hasResult, noftz) && isDefinedVector(atomic))
    return true;
  why = "the PTX ISA has no such combination of operation and type";
  return false;
}

} // namespace

bool findAtomic(SiteInfo &site, unsigned &results, std::string &why) {
  const ptx::Instruction &instruction = *site.instruction;
  Atomic atomic{};
  bool hasPolicy = false;
  if (!read(instruction, atomic, hasPolicy, why))
    return false;
  const unsigned numbers = atomic.operation == Combine::Cas ? 2 : 1;
  const unsigned operands = unsigned(atomic.hasResult) + 1 + numbers + unsigned(hasPolicy);
  if (!hasOperands(instruction, operands, operands, why))
    return false;
  results = atomic.hasResult;
  site.outputs = flattened(instruction, 0, results);
  site.inputs = flattened(instruction, results, operands);
  if (site.inputs != 1 + numbers * atomic.elements + hasPolicy ||
      (atomic.hasResult && site.outputs != atomic.elements &&
       instruction.operands[0].kind != ptx::Operand::Kind::Sink)) {
    why = "its operands do not have " + std::to_string(atomic.elements) + " registers each";
    return false;
  }
  atomic.hasResult &= site.outputs == atomic.elements; // not of `_` for a vector
  keep(site, atomic);
  site.handler = run;
  return true;
}

} // namespace nvemu
