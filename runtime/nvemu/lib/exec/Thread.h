//===- Thread.h - one thread of the running block ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_THREAD_H
#define NVEMU_EXEC_THREAD_H

#include "../check/Checker.h"
#include "Abi.h"
#include "Fiber.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace nvemu {

struct Block;
struct Warp;

/// What a family of operations keeps for a thread or a block, made when first
/// wanted and dropped when the block ends.
struct OperationState {
  virtual ~OperationState() = default;
};

/// The state of type T in `slot`: `state<Copies>(thread.copies)`.
template <class T>
T &state(std::unique_ptr<OperationState> &slot) {
  if (!slot)
    slot = std::make_unique<T>();
  return static_cast<T &>(*slot);
}

/// Threads that wait for one thing, first come first woken.
struct WaitQueue {
  Thread *first = nullptr, *last = nullptr;
  bool empty() const { return !first; }
};

/// Whether a thread does the same again and again: Spinning.cpp.
struct Spin {
  uint64_t window = 0; // in which the rest was found
  uint64_t state = 0;  // a digest of what it had in registers and on its stack
  uint32_t samples = 0, repeats = 0;
};

struct Thread {
  enum class State : uint8_t {
    Ready,
    Waiting,
    Ended,
    Lost, // given up after an error
  };

  uint32_t loopsLeft = 0; // backward branches until the others get a turn; Loop.cpp counts it down
  Block *block = nullptr;
  Warp *warp = nullptr;
  Fiber *fiber = nullptr;
  ThreadId number = 0; // in the block
  uint32_t lane = 0;
  Dim3 index;
  State state = State::Ready;
  uint32_t site = 0;      // where it is: of the last access or operation
  bool refused = false;   // a collective operation failed for this lane
  uint32_t converged = 0; // lanes that came together, of waitForConvergence
  Thread *nextWaiting = nullptr;
  const WaitQueue *waitsIn = nullptr;

  Spin spin;
  uint64_t leftAt = 0;   // the block's steps when it let others run
  uint32_t readSite = 0; // of the last access or operation before the loop's end

  std::vector<uint8_t> local; // .local memory, a stack
  uint64_t localBytes = 0;    // of it in use

  std::unique_ptr<OperationState> copies; // of cp.async
};

} // namespace nvemu

#endif // NVEMU_EXEC_THREAD_H
