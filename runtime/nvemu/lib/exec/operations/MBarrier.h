//===- MBarrier.h - barriers that are objects in shared memory --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// An mbarrier's phases, counts and clocks are kept beside shared memory; its eight
// bytes hold a word that a stray store would change (PTX ISA, "mbarrier").
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_OPERATIONS_MBARRIER_H
#define NVEMU_EXEC_OPERATIONS_MBARRIER_H

#include "../Thread.h"
#include "Modifiers.h"

#include <deque>
#include <map>
#include <string>

namespace nvemu {

struct MBarrier {
  static constexpr uint32_t mostCount = (1u << 20) - 1; // of arrivals, and of tx-count's magnitude

  /// cp.async.mbarrier.arrive: comes when the thread's first `copies` copies are there.
  struct CopyArrival {
    Thread *thread;
    uint64_t copies;
    uint32_t site;
  };

  uint32_t expected = 0, pending = 0;
  int64_t bytes = 0;  // the tx-count
  uint64_t phase = 0; // completed phases
  uint32_t site = 0;  // of its initialisation
  Clock arriving;     // released by those who arrived in this phase
  Clock completed;    // in the one before: what a wait for it acquires
  std::deque<CopyArrival> copyArrivals;
  WaitQueue waiting;

  uint64_t word() const {
    return (phase & 1) << 63 | uint64_t(expected & mostCount) << 41 | uint64_t(pending & mostCount) << 21 |
           (uint64_t(bytes) & 0x1fffff);
  }
  /// The opaque state that arrive gives: the phase, and the arrivals that it lacked.
  uint64_t state() const { return phase << 20 | pending; }
};

struct MBarriers final : OperationState {
  std::map<uint64_t, MBarrier> at; // by offset in shared memory
};

/// The mbarrier at an address, for an operation with these AccessFlags. One that is
/// not there, or was overwritten, is reported, and the thread given up.
MBarrier &findMBarrier(Thread &, uint64_t &address, ptx::Space, uint32_t flags);
/// After a change: completes the phase if nothing is lacking, and keeps the word.
void settle(Block &, uint64_t offset, MBarrier &);
/// Takes `count` arrivals of the current phase, without `settle`; more than are
/// pending are reported, and the thread given up.
void arrive(Thread &, MBarrier &, uint32_t count);
/// Lets copies land for which somebody waits, until the phase is complete.
void landArrivals(Thread &waiter, uint64_t offset, MBarrier &);

/// Of a thread that waits in `queue`: " for phase 3 of the mbarrier at 64, which lacks
/// 2 arrivals and 128 bytes"; empty where that is no mbarrier's.
std::string whatIsLacking(const Block &, const WaitQueue *queue);

/// cp.async.mbarrier.arrive; `modifiers` are those behind .mbarrier.
bool findCopyArrive(SiteInfo &, Modifiers &modifiers, std::string &why);

} // namespace nvemu

#endif // NVEMU_EXEC_OPERATIONS_MBARRIER_H
