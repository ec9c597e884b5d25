//===- Spinning.cpp - threads that do the same for ever -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// What a thread does next depends on its registers and stack, and on what it reads. In
// a window of time in which nothing changes, a thread whose registers and stack are as
// they were before does what it did before, and so for ever. When this is so of all
// threads of a block, but for those that wait since before, no one of them goes on.
// Only other blocks that run at the same time could still help.
//
// Nothing here depends on how long anything takes: samples are taken at loops' ends,
// after a number of turns. A thread's state is compared with an earlier one that is
// replaced after 1, 2, 4, ... samples, so that one in a cycle of any length is found
// (Brent 1980, An Improved Monte Carlo Factorization Algorithm).
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Launch.h"

#include <algorithm>
#include <bit>

namespace nvemu {

namespace {

/// A digest of 64 bits would be enough; what is repeated this often is so on purpose.
constexpr uint32_t enoughRepeats = 3;

} // namespace

void Block::openWindow() {
  ++window.number;
  window.changes = changes;
  window.step = steps;
  window.epoch = launch.epoch;
}

/// Whether the thread is where it was when the window began, or comes back to it.
bool Block::repeats(const Thread &thread) const {
  if (thread.spin.window == window.number && thread.spin.repeats >= enoughRepeats)
    return true;
  return thread.state == Thread::State::Ended || thread.state == Thread::State::Lost ||
         (thread.state == Thread::State::Waiting && thread.leftAt <= window.step);
}

/// Whether all blocks that run stand still as this one does. A block that comes to a
/// standstill begins an epoch; all others then have to show once more that what it wrote
/// before does not help them.
bool Block::isStuck() {
  if (launch.workers == 1)
    return true;
  std::atomic<uint64_t> &own = launch.standstill[worker];
  if (!window.announced) {
    window.announced = true;
    ++launch.epoch;
  }
  if (window.epoch == launch.epoch) {
    own = window.epoch;
    return std::all_of(launch.standstill.begin(), launch.standstill.end(), [&](const std::atomic<uint64_t> &other) {
      const uint64_t value = other;
      return value == window.epoch || value == ~uint64_t(0);
    });
  }
  openWindow();
  return false;
}

void Block::yieldInLoop(Thread &thread, const void *frame) {
  if (changes != window.changes) {
    window = Window{window.number};
    openWindow();
    launch.standstill[worker] = 0;
  }
  Spin &spin = thread.spin;
  const uint64_t state = thread.fiber->digest(frame);
  if (spin.window != window.number)
    spin = {window.number, state, 0, 0};
  else if (state == spin.state)
    ++spin.repeats;
  ++spin.samples;
  if (spin.repeats >= enoughRepeats) {
    const bool all = std::all_of(threads.begin(), threads.end(), [&](const Thread &other) { return repeats(other); });
    if (all && isStuck()) {
      if (!hasLost)
        reportDeadlock();
      stopped = true;
    } else if (!all && spin.samples >= window.patience) {
      // Some that wait may have come to it only within this window.
      window.patience *= 2;
      openWindow();
    }
  } else if (std::has_single_bit(spin.samples)) {
    spin.state = state;
    spin.repeats = 0;
  }
  spent += mostLoopTurns;
  yield(thread);
}

} // namespace nvemu
