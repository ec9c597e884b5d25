//===- Order.cpp - what loads, stores, atomics and fences order -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Order.h"

using namespace nvemu;

void ThreadOrder::know(ViewPtr view) {
  known = std::move(view);
  self.clock = std::min(std::max(self.clock, known->own.top + 1), never - 1);
}

/// Of what other blocks released, all, or with the scope of a block what they say of
/// this one.
void ThreadOrder::know(const Parts &parts, Scope scope) {
  Parts mine;
  const Parts *taken = &parts;
  if (scope == Scope::Block) {
    for (const std::shared_ptr<const Part> &part : parts)
      if (part->block == known->own.block)
        mine.push_back(part);
    taken = &mine;
  }
  if (taken->empty())
    return;
  auto more = std::make_shared<View>(*known);
  more->join(*taken);
  know(std::move(more));
}

void ThreadOrder::release(Clock::Impl &clock) {
  clock.all.add(known, self);
  if (rare && rare->gpu.view)
    clock.fenced.add(rare->gpu.view, {self.id, rare->gpu.clock});
  step();
}

void ThreadOrder::acquire(Clock::Impl &clock) {
  if (!clock.all.empty())
    know(clock.all.joined(known));
  if (clock.fenced.empty())
    return;
  Rare::Fenced &gpu = makeRare().gpu;
  gpu.view = gpu.view ? clock.fenced.joined(gpu.view) : clock.fenced.get();
}

void ThreadOrder::fence(Scope scope) {
  Rare &r = makeRare();
  if (!r.pendingBlock.empty()) {
    know(r.pendingBlock.joined(known));
    r.pendingBlock.clear();
  }
  if (!r.pendingGpu.empty()) {
    know(r.pendingGpu, scope);
    if (scope == Scope::Gpu)
      r.pendingGpu.clear();
  }
  r.block = {known, self.clock};
  if (scope == Scope::Gpu)
    r.gpu = r.block;
  step();
}

//===-- By way of a location ----------------------------------------------===//

Event ThreadOrder::access(const Strong &strong) {
  if (strong.reads) {
    read(strong);
    if (strong.repeats)
      makeRare().last = strong;
  }
  return strong.writes ? write(strong) : self;
}

void ThreadOrder::again() {
  Strong strong = rare->last;
  rare->last.locations = nullptr;
  read(strong);
}

void ThreadOrder::read(const Strong &strong) {
  strong.locations->with(strong.address, false, [&](Location &location) {
    auto narrow = location.narrow.find(known->own.block);
    if (strong.acquires) {
      if (narrow != location.narrow.end())
        know(narrow->second.joined(known));
      know(location.wide, strong.scope);
      return;
    }
    Rare &r = makeRare();
    if (narrow != location.narrow.end())
      r.pendingBlock.add(narrow->second.get());
    if (strong.scope == Scope::Gpu)
      join(r.pendingGpu, location.wide);
  });
}

Event ThreadOrder::write(const Strong &strong) {
  Rare::Fenced block, gpu;
  if (rare)
    block = rare->block, gpu = rare->gpu;
  Event event = self;
  // What observes a relaxed write after a fence knows of the write as well.
  if (uint32_t fenced = gpu.clock ? gpu.clock : block.clock; fenced && !strong.releases)
    event.clock = fenced;
  if (strong.releases) {
    block = {known, self.clock};
    if (strong.scope == Scope::Gpu)
      gpu = block;
    step();
  }
  if (!block.view && !gpu.view)
    return event;
  strong.locations->with(strong.address, true, [&](Location &location) {
    if (block.view)
      location.narrow[known->own.block].add(block.view, {self.id, block.clock});
    if (!gpu.view || strong.scope != Scope::Gpu || !strong.global)
      return;
    auto part = std::make_shared<Part>(gpu.view->own);
    std::vector<Event> own{{self.id, gpu.clock}};
    if (gpu.clock)
      part->join(own);
    join(location.wide, Parts{part});
    join(location.wide, gpu.view->others);
  });
  return event;
}

//===-- Warps -------------------------------------------------------------===//

void ThreadOrder::synchronise(ThreadOrder *const *lanes, unsigned count) {
  ViewPtr common = lanes[0]->known;
  std::vector<Event> events;
  bool same = true;
  for (unsigned i = 0; i != count; ++i) {
    events.push_back(lanes[i]->self);
    same &= lanes[i]->known == common;
  }
  auto view = std::make_shared<View>(*common);
  for (unsigned i = 1; !same && i != count; ++i)
    if (lanes[i]->known != lanes[i - 1]->known)
      view->join(*lanes[i]->known);
  view->own.join(events);
  for (unsigned i = 0; i != count; ++i)
    lanes[i]->know(view);
}
