//===- Clocks.cpp - who knows of what -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Clocks.h"

using namespace nvemu;

static bool byId(const Event &a, const Event &b) { return a.id < b.id; }

//===-- Part --------------------------------------------------------------===//

bool Part::knowsMore(uint32_t id, uint32_t clock) const {
  auto at = std::lower_bound(extra.begin(), extra.end(), Event{id, 0}, byId);
  return at != extra.end() && at->id == id && clock <= at->clock;
}

bool Part::covers(const Part &other) const {
  for (size_t warp = 0; warp != base.size(); ++warp)
    if (other.base[warp] > base[warp])
      return false;
  return std::all_of(other.extra.begin(), other.extra.end(), [&](Event e) { return knows(e.id, e.clock); });
}

void Part::join(const Part &other) {
  for (size_t warp = 0; warp != base.size(); ++warp)
    base[warp] = std::max(base[warp], other.base[warp]);
  top = std::max(top, other.top);
  if (!extra.empty() || !other.extra.empty())
    merge(other.extra);
}

void Part::join(std::vector<Event> &events) {
  if (!std::is_sorted(events.begin(), events.end(), byId))
    std::sort(events.begin(), events.end(), byId);
  for (Event e : events)
    if (e.id < firstAgent)
      top = std::max(top, e.clock);
  merge(events);
}

/// Merges sorted events with `extra`. Where every lane of a warp is in the result,
/// the warp's component takes over what they have in common.
void Part::merge(const std::vector<Event> &events) {
  std::vector<Event> all;
  all.reserve(extra.size() + events.size());
  std::merge(extra.begin(), extra.end(), events.begin(), events.end(), std::back_inserter(all), byId);
  extra.clear();
  for (size_t i = 0; i != all.size();) {
    uint32_t warp = all[i].id / warpLanes;
    size_t first = extra.size();
    uint32_t least = never;
    for (; i != all.size() && all[i].id / warpLanes == warp; ++i) {
      if (warp < base.size() && all[i].clock <= base[warp])
        continue;
      if (extra.size() > first && extra.back().id == all[i].id)
        extra.back().clock = std::max(extra.back().clock, all[i].clock);
      else
        extra.push_back(all[i]);
    }
    if (warp >= base.size() || extra.size() - first != std::min(warpLanes, threads - warp * warpLanes))
      continue;
    for (size_t k = first; k != extra.size(); ++k)
      least = std::min(least, extra[k].clock);
    base[warp] = least;
    auto rest = std::remove_if(extra.begin() + first, extra.end(), [&](Event e) { return e.clock <= least; });
    extra.erase(rest, extra.end());
  }
}

//===-- Parts and View ----------------------------------------------------===//

void nvemu::join(Parts &parts, const Parts &others) {
  if (others.empty() || &parts == &others)
    return;
  Parts all;
  all.reserve(parts.size() + others.size());
  auto a = parts.begin();
  auto b = others.begin();
  while (a != parts.end() || b != others.end()) {
    if (b == others.end() || (a != parts.end() && (*a)->block < (*b)->block)) {
      all.push_back(*a++);
    } else if (a == parts.end() || (*b)->block < (*a)->block) {
      all.push_back(*b++);
    } else {
      if (*a == *b || (*a)->covers(**b)) {
        all.push_back(*a);
      } else if ((*b)->covers(**a)) {
        all.push_back(*b);
      } else {
        auto both = std::make_shared<Part>(**a);
        both->join(**b);
        all.push_back(std::move(both));
      }
      ++a, ++b;
    }
  }
  parts = std::move(all);
}

const Part *nvemu::find(const Parts &parts, uint32_t block) {
  auto at = std::lower_bound(parts.begin(), parts.end(), block,
                             [](const std::shared_ptr<const Part> &p, uint32_t wanted) { return p->block < wanted; });
  return at != parts.end() && (*at)->block == block ? at->get() : nullptr;
}

bool View::covers(const View &other) const {
  if (!own.covers(other.own))
    return false;
  return std::all_of(other.others.begin(), other.others.end(), [&](const std::shared_ptr<const Part> &theirs) {
    const Part *mine = find(others, theirs->block);
    return mine && (mine == theirs.get() || mine->covers(*theirs));
  });
}

void View::join(const View &other) {
  own.join(other.own);
  nvemu::join(others, other.others);
}

void View::join(const Parts &parts) {
  const Part *mine = find(parts, own.block);
  if (!mine)
    return nvemu::join(others, parts);
  own.join(*mine);
  Parts rest;
  for (const std::shared_ptr<const Part> &part : parts)
    if (part.get() != mine)
      rest.push_back(part);
  nvemu::join(others, rest);
}

//===-- ViewBuilder -------------------------------------------------------===//

View &ViewBuilder::writable() {
  if (shared) {
    view = std::make_shared<View>(*view);
    shared = false;
  }
  joinedFrom = joinedTo = nullptr;
  return const_cast<View &>(*view); // made here, and nobody else has it
}

void ViewBuilder::add(const ViewPtr &known) {
  if (known == view || known == added)
    return;
  if (!view) {
    view = known;
    shared = true;
  } else if (!view->covers(*known)) {
    writable().join(*known);
  }
  added = known;
}

void ViewBuilder::add(const ViewPtr &known, Event self) {
  // A clock that is released into and never acquired must not grow without end.
  if (events.size() >= 2 * firstAgent)
    get();
  add(known);
  events.push_back(self);
}

const ViewPtr &ViewBuilder::get() {
  if (!events.empty()) {
    writable().own.join(events);
    events.clear();
  }
  shared = true;
  return view;
}

const ViewPtr &ViewBuilder::joined(const ViewPtr &known) {
  get();
  if (joinedTo && joinedFrom == known)
    return joinedTo;
  joinedFrom = known;
  if (view == known || view->covers(*known)) {
    joinedTo = view;
  } else if (known->covers(*view)) {
    joinedTo = known;
  } else {
    auto both = std::make_shared<View>(*known);
    both->join(*view);
    joinedTo = std::move(both);
  }
  return joinedTo;
}

//===-- Clock -------------------------------------------------------------===//

Clock::Clock() = default;
Clock::~Clock() = default;
Clock::Clock(Clock &&) noexcept = default;
Clock &Clock::operator=(Clock &&) noexcept = default;

/// Builders with pending events must not share a view that one of them changes, so
/// the original settles its events first.
static std::unique_ptr<Clock::Impl> copyOf(const Clock &from) {
  if (!from.impl)
    return nullptr;
  for (ViewBuilder *builder : {&from.impl->all, &from.impl->fenced})
    if (!builder->empty())
      builder->get();
  return std::make_unique<Clock::Impl>(*from.impl);
}

Clock::Clock(const Clock &other) : impl(copyOf(other)) {}

Clock &Clock::operator=(const Clock &other) {
  if (this != &other)
    impl = copyOf(other);
  return *this;
}

void Clock::clear() {
  // The agent stays: copies that completed on it are known by its number.
  if (impl)
    impl->all.clear(), impl->fenced.clear();
}
