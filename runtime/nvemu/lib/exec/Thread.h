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

struct Thread {
  enum class State : uint8_t {
    Ready,
    Waiting,
    Ended,
    Lost, // given up after an error
  };

  Block *block = nullptr;
  Warp *warp = nullptr;
  Fiber *fiber = nullptr;
  ThreadId number = 0; // in the block
  uint32_t lane = 0;
  Dim3 index;
  State state = State::Ready;
  uint32_t site = 0;      // where it is: of the last access or operation
  uint32_t loopsLeft = 0; // backward branches until the others get a turn
  bool refused = false;   // a collective operation failed for this lane
  uint32_t converged = 0; // lanes that came together, of waitForConvergence
  Thread *nextWaiting = nullptr;
  const WaitQueue *waitsIn = nullptr;

  std::vector<uint8_t> local; // .local memory, a stack
  uint64_t localBytes = 0;    // of it in use

  std::unique_ptr<OperationState> copies; // of cp.async
};

} // namespace nvemu

#endif // NVEMU_EXEC_THREAD_H
