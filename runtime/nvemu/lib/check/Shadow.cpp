//===- Shadow.cpp - what happened to each byte ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Shadow.h"

#include <bit>
#include <cstdlib>

using namespace nvemu;

//===-- What races with what ----------------------------------------------===//

namespace {

constexpr uint32_t bit(Role role) { return 1u << uint32_t(role); }
template <class... Roles>
constexpr uint32_t bits(Roles... roles) {
  return (bit(roles) | ...);
}

using enum Role;
constexpr uint32_t strongWrites = bits(WriteCta, WriteGpu), writes = bit(Write) | strongWrites;
constexpr uint32_t everything = 0x7f;

// By the role of the one, the roles of the other. Within a block any two scopes hold
// both threads; across blocks both have to be wider than the block.
constexpr uint32_t racesInBlock[] = {
    /*Read*/ writes,
    /*ReadCta*/ bit(Write),
    /*ReadGpu*/ bit(Write),
    /*ReadOnly*/ writes,
    /*Write*/ everything,
    /*WriteCta*/ bits(Read, ReadOnly, Write),
    /*WriteGpu*/ bits(Read, ReadOnly, Write)};
constexpr uint32_t racesAcross[] = {
    /*Read*/ writes,
    /*ReadCta*/ writes,
    /*ReadGpu*/ bits(Write, WriteCta),
    /*ReadOnly*/ writes,
    /*Write*/ everything,
    /*WriteCta*/ everything,
    /*WriteGpu*/ everything & ~bits(ReadGpu, WriteGpu)};

// Entries that need not be kept once they are in the past of an access of this role:
// whatever races with them later races with it, too.
constexpr uint32_t covered[] = {
    /*Read*/ bits(Read, ReadCta, ReadGpu),
    /*ReadCta*/ bits(ReadCta, ReadGpu),
    /*ReadGpu*/ bit(ReadGpu),
    /*ReadOnly*/ bits(Read, ReadCta, ReadGpu, ReadOnly),
    /*Write*/ everything & ~bit(ReadOnly),
    /*WriteCta*/ bits(ReadCta, ReadGpu, WriteCta, WriteGpu),
    /*WriteGpu*/ bits(ReadGpu, WriteGpu)};

bool covers(Role role, Role other) { return covered[uint32_t(role)] & bit(other); }

// Entries kept of one granule: enough for each warp of a block twice, and a few of
// other blocks, so that what every block of a launch reads stays cheap. Of more
// than these some races go unseen.
constexpr size_t mostEntries = 64, mostForeign = 4;

} // namespace

bool nvemu::conflicts(Role a, Role b, bool sameBlock) {
  return (sameBlock ? racesInBlock : racesAcross)[uint32_t(a)] & bit(b);
}

//===-- Actor -------------------------------------------------------------===//

bool Actor::knowsForeign(uint32_t itsBlock, uint32_t itsId, uint32_t itsClock) const {
  const Part *part = find(view->others, itsBlock);
  return part && part->knows(itsId, itsClock);
}

uint32_t Actor::unknownLanes(const Entry &entry) const {
  uint32_t itsClock = EntryWord::clock(entry.word);
  if (itsClock == never)
    return entry.mask;
  const Part *part = entry.block == block ? &view->own : find(view->others, entry.block);
  uint32_t group = EntryWord::group(entry.word);
  uint32_t unknown = entry.mask;
  if (!part)
    return unknown;
  if (group < part->base.size() && itsClock <= part->base[group])
    return 0;
  if (entry.block == block && group == id / warpLanes)
    unknown &= ~lane;
  if (part->extra.empty())
    return unknown;
  for (uint32_t rest = unknown; rest; rest &= rest - 1) {
    uint32_t itsLane = std::countr_zero(rest);
    if (part->knowsMore(group * warpLanes + itsLane, itsClock))
      unknown &= ~(1u << itsLane);
  }
  return unknown;
}

//===-- Page --------------------------------------------------------------===//

Page::~Page() { std::free(cells); }

/// Cuts the granules to 1 << shift bytes; each part keeps the history of the whole.
void Page::refine(unsigned shift) {
  size_t count = pageBytes >> shift;
  auto *finer = static_cast<Cell *>(std::calloc(count, sizeof(Cell)));
  for (size_t i = 0; cells && i != count; ++i) {
    finer[i] = cells[i >> (granuleShift - shift)];
    bool isFirst = (i & ((size_t(1) << (granuleShift - shift)) - 1)) == 0;
    if (!finer[i].more || isFirst)
      continue;
    std::vector<Entry> copy = listOf(finer[i]);
    finer[i].more = (finer[i].more & listHasWrites) | uint32_t(lists.size() + 1);
    lists.push_back(std::move(copy));
  }
  std::free(cells);
  cells = finer;
  granuleShift = shift;
}

std::vector<Entry> &Page::listOf(Cell &cell) { return lists[(cell.more & listBits) - 1]; }

void Page::touch(const Actor &actor, unsigned offset, unsigned bytes, Conflict &conflict) {
  unsigned shift = std::min<unsigned>(mostGranuleShift, std::countr_zero(offset | bytes));
  if (shift < granuleShift) [[unlikely]]
    refine(shift);
  Cell *cell = cells + (offset >> granuleShift), *end = cells + ((offset + bytes) >> granuleShift);
  if (actor.role == Read || actor.role == ReadOnly) {
    for (; cell != end; ++cell)
      if (!readQuickly(*cell, actor))
        meet(*cell, actor, conflict);
  } else if (actor.role == Write) {
    for (; cell != end; ++cell)
      if (!writeQuickly(*cell, actor))
        meet(*cell, actor, conflict);
  } else {
    for (; cell != end; ++cell)
      meet(*cell, actor, conflict);
  }
}

inline bool Page::readQuickly(Cell &cell, const Actor &actor) {
  if (cell.write &&
      ((cell.write & WriteWord::inFlight) || actor.role == ReadOnly || !actor.knowsWrite(cell.write, cell.writeBlock)))
    return false;
  if (cell.entry && EntryWord::alike(cell.entry, actor.entry) && cell.entryBlock == actor.block) {
    if (cell.more & listHasWrites)
      return false;
    cell.mask |= actor.lane;
  } else {
    if (cell.entry && (cell.more || EntryWord::role(cell.entry) != actor.role ||
                       actor.unknownLanes({cell.entry, cell.mask, cell.entryBlock})))
      return false;
    cell.mask = actor.lane;
  }
  cell.entry = actor.entry;
  cell.entryBlock = actor.block;
  return true;
}

inline bool Page::writeQuickly(Cell &cell, const Actor &actor) {
  if (cell.more ||
      (cell.write && ((cell.write & WriteWord::inFlight) || !actor.knowsWrite(cell.write, cell.writeBlock))))
    return false;
  if (cell.entry &&
      (EntryWord::role(cell.entry) != Read || actor.unknownLanes({cell.entry, cell.mask, cell.entryBlock})))
    return false;
  cell.write = actor.write;
  cell.writeBlock = actor.block;
  cell.entry = 0;
  return true;
}

void Page::meet(Cell &cell, const Actor &actor, Conflict &conflict) {
  if (!conflict.found && compare(cell, actor, conflict)) {
    conflict.found = true;
    conflict.offset = unsigned(&cell - cells) << granuleShift;
  }
  if (actor.role != Write)
    return add(cell, actor);
  cell.write = actor.write;
  cell.writeBlock = actor.block;
  drop(cell, actor);
}

/// Whether the access races; says with what: a copy under way, or else the newest.
bool Page::compare(const Cell &cell, const Actor &actor, Conflict &conflict) {
  auto meetsWrite = [&] {
    conflict.inFlight = cell.write & WriteWord::inFlight;
    conflict.block = cell.writeBlock;
    conflict.id = WriteWord::id(cell.write);
    conflict.site = WriteWord::site(cell.write);
    conflict.role = Write;
    return true;
  };
  auto meets = [&](const Entry &entry) {
    Role role = EntryWord::role(entry.word);
    if (!conflicts(actor.role, role, entry.block == actor.block))
      return false;
    // Read-only memory stays so from the first to the last access of the launch.
    uint32_t lanes = role == ReadOnly || actor.role == ReadOnly ? entry.mask : actor.unknownLanes(entry);
    if (!lanes)
      return false;
    conflict.inFlight = EntryWord::clock(entry.word) == never;
    conflict.block = entry.block;
    conflict.id = EntryWord::group(entry.word) * warpLanes + std::countr_zero(lanes);
    conflict.site = EntryWord::site(entry.word);
    conflict.role = role;
    return true;
  };
  if (cell.write & WriteWord::inFlight)
    return meetsWrite();
  if (cell.entry && meets({cell.entry, cell.mask, cell.entryBlock}))
    return true;
  if (cell.more && (isWrite(actor.role) || (cell.more & listHasWrites)))
    for (const Entry &entry : lists[(cell.more & listBits) - 1])
      if (meets(entry))
        return true;
  if (!cell.write || !conflicts(actor.role, Write, cell.writeBlock == actor.block))
    return false;
  if (actor.role != ReadOnly && actor.knowsWrite(cell.write, cell.writeBlock))
    return false;
  return meetsWrite();
}

/// Makes the access the newest entry, and forgets those that it covers.
void Page::add(Cell &cell, const Actor &actor) {
  uint32_t mask = actor.lane;
  auto keep = [&](Entry &entry) {
    if (entry.block == actor.block && EntryWord::alike(entry.word, actor.entry)) {
      mask |= entry.mask;
      return false;
    }
    if (!actor.isDated && covers(actor.role, EntryWord::role(entry.word)))
      entry.mask = actor.unknownLanes(entry);
    return entry.mask != 0;
  };
  if (cell.more)
    std::erase_if(listOf(cell), [&](Entry &entry) { return !keep(entry); });
  Entry front{cell.entry, cell.mask, cell.entryBlock};
  if (cell.entry && keep(front))
    push(cell, front, actor);
  cell.entry = actor.entry;
  cell.entryBlock = actor.block;
  cell.mask = mask;
  if (cell.more)
    tidyList(cell);
}

void Page::push(Cell &cell, const Entry &entry, const Actor &actor) {
  if (!cell.more) {
    if (freeLists.empty()) {
      freeLists.push_back(lists.size());
      lists.emplace_back();
    }
    cell.more = freeLists.back() + 1;
    freeLists.pop_back();
  }
  std::vector<Entry> &list = listOf(cell);
  size_t most = entry.block == actor.block ? mostEntries : mostForeign;
  if (list.size() < most)
    return list.push_back(entry);
  list.resize(most);
  list[actor.block * 0x9e3779b1u % most] = entry;
}

void Page::tidyList(Cell &cell) {
  std::vector<Entry> &list = listOf(cell);
  if (list.empty()) {
    freeLists.push_back((cell.more & listBits) - 1);
    cell.more = 0;
    return;
  }
  bool writes = std::any_of(list.begin(), list.end(), [](const Entry &e) { return isWrite(EntryWord::role(e.word)); });
  cell.more = (cell.more & listBits) | (writes ? listHasWrites : 0);
}

/// After a write: what came before is in its past, or was reported. Reads of
/// read-only memory stay.
void Page::drop(Cell &cell, const Actor &actor) {
  Entry kept{0, 0, 0};
  auto look = [&](const Entry &entry) {
    if (entry.word && EntryWord::role(entry.word) == ReadOnly)
      kept = entry;
  };
  look({cell.entry, cell.mask, cell.entryBlock});
  if (cell.more)
    std::for_each(listOf(cell).begin(), listOf(cell).end(), look);
  clearEntries(cell);
  cell.entry = kept.word;
  cell.mask = kept.mask;
  cell.entryBlock = kept.block;
}

void Page::clearEntries(Cell &cell) {
  if (cell.more) {
    listOf(cell).clear();
    freeLists.push_back((cell.more & listBits) - 1);
    cell.more = 0;
  }
  cell.entry = 0;
}

//===-- Copies ------------------------------------------------------------===//

void Page::settleWrite(unsigned offset, unsigned bytes, uint64_t word, uint64_t now, uint32_t block) {
  for (unsigned i = offset >> granuleShift; i != (offset + bytes) >> granuleShift; ++i)
    if (cells[i].write == word)
      cells[i].write = now, cells[i].writeBlock = block;
}

void Page::settleRead(unsigned offset, unsigned bytes, const Actor &going, const Actor &done) {
  for (unsigned i = offset >> granuleShift; i != (offset + bytes) >> granuleShift; ++i) {
    Cell &cell = cells[i];
    auto end = [&](uint64_t word, uint32_t &mask, uint32_t block) {
      if (block == going.block && EntryWord::alike(word, going.entry))
        mask &= ~going.lane;
    };
    if (cell.entry)
      end(cell.entry, cell.mask, cell.entryBlock);
    if (cell.more)
      for (Entry &entry : listOf(cell))
        end(entry.word, entry.mask, entry.block);
    add(cell, done); // forgets entries of no lanes
  }
}
