//===- Order.h - what loads, stores, atomics and fences order ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Release and acquire by way of a location (PTX ISA, memory consistency model).
// A release is a store or atomic with .release, or a relaxed one after a fence; an
// acquire a load or atomic with .acquire, or a relaxed one before a fence. What was
// released at a location is never forgotten, even if a plain store replaces its
// value: an order too many, so at worst a race that goes unseen.
//
// More is forgiven than the model does in one place, since so much code relies on
// it: a fence of gpu scope, then a barrier, then a relaxed atomic by another thread
// of the block releases what came before the fence.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_CHECK_ORDER_H
#define NVEMU_CHECK_ORDER_H

#include "Clocks.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace nvemu {

enum class Scope { Block, Gpu }; // .sys is Gpu: there is one device

/// What is released at a location.
struct Location {
  Parts wide;                                       // with gpu scope: for every block
  std::unordered_map<uint32_t, ViewBuilder> narrow; // by block: for itself
};

/// The locations of one memory. Safe to use from several host threads.
class Locations {
public:
  /// Runs `use` on the location at `address`; without `make` only if there is one.
  template <class F>
  void with(uint64_t address, bool make, F &&use) {
    if (!make && !any.load(std::memory_order_acquire))
      return;
    std::lock_guard lock(mutex);
    auto at = all.find(address);
    if (at == all.end()) {
      if (!make)
        return;
      at = all.try_emplace(address).first;
      any.store(true, std::memory_order_release);
    }
    use(at->second);
  }

private:
  std::mutex mutex;
  std::atomic<bool> any{false};
  std::unordered_map<uint64_t, Location> all;
};

/// One thread of a block: its clock and what it knows.
class ThreadOrder {
public:
  ThreadOrder(uint32_t id, ViewPtr start) : known(std::move(start)), self{id, 1} {}

  const View &view() const { return *known; }
  Event event() const { return self; }

  void release(Clock::Impl &);
  void acquire(Clock::Impl &);
  void fence(Scope);

  struct Strong {
    Locations *locations;
    uint64_t address;
    Scope scope;
    bool global, reads, writes, acquires, releases;
    bool repeats; // other host threads run blocks: see again()
  };
  /// A strong access that is about to happen. Returns the event that it is: whoever
  /// acquires what it releases knows of it.
  Event access(const Strong &);
  /// Another host thread may have released at the location between the check of the
  /// last strong read and the read itself: acquires again.
  void again();
  bool wantsAgain() const { return rare && rare->last.locations; }

  /// Lanes whose memory is ordered by the warp, at most 32.
  static void synchronise(ThreadOrder *const *lanes, unsigned count);

private:
  /// What few threads have.
  struct Rare {
    // What a fence was after, and the own clock then.
    struct Fenced {
      ViewPtr view;
      uint32_t clock = 0;
    } block, gpu;
    // Read by relaxed accesses, known after the next fence.
    ViewBuilder pendingBlock;
    Parts pendingGpu;
    Strong last = {};
  };
  Rare &makeRare() {
    if (!rare)
      rare = std::make_unique<Rare>();
    return *rare;
  }
  void know(ViewPtr view);
  void know(const Parts &parts, Scope);
  void read(const Strong &);
  Event write(const Strong &);
  void step() { self.clock += self.clock + 1 < never; }

  ViewPtr known;
  Event self;
  std::unique_ptr<Rare> rare;
};

} // namespace nvemu

#endif // NVEMU_CHECK_ORDER_H
