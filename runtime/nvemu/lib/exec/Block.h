//===- Block.h - a running block: its threads, its memory -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A block runs on one host thread, which switches between its threads where they
// wait, and at some backward branches. A thread after an error is given up: it
// never runs again, the others go on as far as they come, and what follows from its
// absence (a barrier that nobody completes) is not reported.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_BLOCK_H
#define NVEMU_EXEC_BLOCK_H

#include "Thread.h"
#include "Warp.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nvemu {

struct LaunchState; // Launch.h

/// One of the 16 barriers of a block: see operations/Barrier.cpp.
struct Barrier {
  struct Participant {
    Thread *thread;
    bool waits;    // false: it has only arrived
    uint64_t *out; // of barrier.red
  };
  std::vector<Participant> participants;
  uint32_t lanes[32] = {}; // by warp: those that have come
  uint32_t expected = 0;   // threads, as the first that came says it; 0: all of the block
  uint32_t reduction = 0;  // of barrier.red; 0: none
  uint32_t site = ~0u;     // of the first that came
  uint32_t count = 0;      // whose predicates are true
  WaitQueue waiting;
  Clock clock;
};

/// A time in which nothing has changed: Spinning.cpp.
struct Window {
  uint64_t number = 0;
  uint64_t changes = 0, step = 0; // of the block, when it began
  uint64_t epoch = 0;             // of the launch, when it began
  uint32_t patience = 8;          // samples of a thread until another one is tried
  bool announced = false;
};

struct Block {
  static constexpr unsigned barrierCount = 16;

  Block(LaunchState &, size_t worker);
  ~Block();
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

  /// Runs the block of this number to its end. false: a thread did not come to it.
  bool run(size_t blockNumber);

  //===--- For operations ----------------------------------------------------===//

  /// The thread goes on when `wake` is called for the queue. May not return.
  void wait(Thread &, WaitQueue &);
  void wake(WaitQueue &);
  /// Lets the others run first. May not return.
  void yield(Thread &);
  /// The same at the end of a loop's turn, when the thread has had many of them; what it has in
  /// registers is on its stack, from `frame` on.
  void yieldInLoop(Thread &, const void *frame);
  /// Something is no longer as it was that threads may see: memory, who is there, the time.
  void changed() { ++changes; }
  /// The thread goes on when every other one of its warp that can come here has come,
  /// or waits for something else, or has run for long.
  void waitForConvergence(Thread &);

  [[noreturn]] void giveUp(Thread &);
  [[noreturn]] void exit(Thread &);

  /// A finding at `thread.site`.
  void report(Kind, const Thread &, std::string message, uint32_t otherSite = ~0u);
  /// The same, and gives the thread up. Its stack stays as it is: a caller has no string
  /// or vector on it, and the message comes straight from a function or an expression.
  [[noreturn]] void fail(Kind, Thread &, std::string message, uint32_t otherSite = ~0u);

  /// The host address of `bytes` at `address`, checked, for an access of `thread` at
  /// thread.site; nullptr: reported, and it must not happen.
  void *tryAccess(Thread &, uint64_t address, ptx::Space, uint32_t bytes, uint32_t flags, bool atomic = false);
  /// The same, but gives the thread up instead of returning nullptr.
  void *access(Thread &, uint64_t address, ptx::Space, uint32_t bytes, uint32_t flags, bool atomic = false);
  /// Turns a generic address into one of the space that it is in.
  static ptx::Space resolve(uint64_t &address, ptx::Space);

  /// Backward branches that a thread has until the others run, at most `mostLoopTurns`.
  uint32_t loopTurns();
  static constexpr uint32_t mostLoopTurns = 1024;

  /// The number of a site, for the checker.
  uint32_t numberOf(const SiteInfo &) const;

  //===--- What it consists of -----------------------------------------------===//

  LaunchState &launch;
  const size_t worker; // of the launch's host threads
  Dim3 index;
  size_t number = 0;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  uint8_t *shared = nullptr; // 1024-byte aligned; all bytes 0xFF at the start
  size_t sharedBytes = 0;
  std::optional<BlockChecker> checker;
  Barrier barriers[barrierCount];
  std::unique_ptr<OperationState> mbarriers; // by their offset in shared memory
  uint64_t time = 0;                         // what %clock64 gives: not a time, but it never goes back
  bool hasLost = false;                      // a thread has been given up

  uint64_t sharedAccesses = 0, globalAccesses = 0, collectives = 0, barriersDone = 0;

private:
  void begin(size_t blockNumber);
  void leave(Thread &);
  Thread *pick();
  bool newRound();
  bool mustStop();
  void releaseConverged();
  void reportDeadlock();
  void openWindow();
  bool repeats(const Thread &) const;
  bool isStuck();

  Fibers fibers;
  Fiber scheduler;
  std::vector<Thread *> round, woken;
  std::vector<Thread *> converging; // in waitForConvergence
  uint64_t convergingSince = 0;
  uint64_t rounds = 0, steps = 0, randomState = 0;
  uint64_t spent = 0; // of maxSteps
  uint64_t changes = 0;
  Window window;
  bool stopped = false;
  std::unique_ptr<uint8_t[]> sharedMemory;
};

/// A thread has ended: the barriers that only waited for it complete.
void barriersWithout(Thread &);

} // namespace nvemu

#endif // NVEMU_EXEC_BLOCK_H
