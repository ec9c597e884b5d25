//===- Copies.h - cp.async's copies of a thread -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A thread's copies are one sequence, and whoever waits, waits for a beginning of
// it: wait_group for all but the last groups, an mbarrier for what was issued
// before cp.async.mbarrier.arrive. Until then nothing is copied, which is the
// latest moment that the PTX ISA allows, so that who does not wait sees it.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_OPERATIONS_COPIES_H
#define NVEMU_EXEC_OPERATIONS_COPIES_H

#include "../Thread.h"

#include <deque>

namespace nvemu {

struct Copies final : OperationState {
  struct Copy {
    uint64_t to;   // offset in shared memory
    uint64_t from; // host address
    uint32_t bytes, sourceBytes;
    uint64_t number; // the checker's
  };
  std::deque<Copy> inFlight;
  uint64_t landed = 0;            // how many are there
  std::deque<uint64_t> groupEnds; // how many were issued when each open group was committed

  Clock arrived; // of the mbarrier that let some land, for a later wait_group

  uint64_t issued() const { return landed + inFlight.size(); }
};

/// Copies the first `end` of the thread's that are not there yet. Whoever acquires
/// `clock` sees them; without a clock the thread does.
void landCopies(Thread &, uint64_t end, Clock *clock);

} // namespace nvemu

#endif // NVEMU_EXEC_OPERATIONS_COPIES_H
