//===- Checker.h - who may touch which byte, and when -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Execution tells the checker of every access and of everything that orders
// accesses; the checker knows nothing of fibers or code. Happens-before is kept
// by vector clocks: one component for each warp of a block and one for its
// asynchronous copies, and one for each block of a launch for global memory.
// Lanes of a warp are ordered only by what synchronises the warp.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_CHECK_CHECKER_H
#define NVEMU_CHECK_CHECKER_H

#include "../exec/Abi.h"
#include "nvemu/nvemu.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nvemu {

/// Who: a thread of the running block, by its number in it.
using ThreadId = uint32_t;

/// What a release left for whoever acquires it: a barrier, an mbarrier, an atomic
/// location. Opaque to execution; empty at first.
class Clock;

/// Findings of one launch, of all its blocks; safe to call from several host threads.
class Findings {
public:
  Findings(const Sites &sites, const ptx::Module &module, std::string kernel, unsigned most);
  /// true: there are as many as wanted, and the launch should end.
  bool add(Kind kind, uint32_t site, std::string message, Dim3 block, Dim3 thread,
           bool hasThread = true, uint32_t otherSite = ~0u);
  bool full() const;
  /// There is one of this kind and site already: counts it, so that nobody needs to
  /// make a message for `add`. A hot loop may race a million times.
  bool again(Kind kind, uint32_t site);
  std::vector<Finding> take();   // in the order of the PTX lines
  ~Findings();
private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Global memory of one launch: bounds, uninitialised bytes, races between blocks.
/// It knows what nvemu::allocate gave, so .global and .const variables have to come
/// from there, too (and be marked initialised). Without `concurrent` its blocks must
/// run on one host thread, which saves a lock for each access.
class GlobalChecker {
public:
  GlobalChecker(Findings &, size_t blocks, bool checks, bool concurrent = true);
  ~GlobalChecker();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// One block. Not shared between host threads.
class BlockChecker {
public:
  BlockChecker(Findings &, GlobalChecker &, Dim3 blockIndex, size_t blockNumber, Dim3 blockSize,
               size_t sharedBytes, bool checks);
  ~BlockChecker();

  /// Call it before the bytes are read or written. Flags mean what they do in PTX:
  /// a volatile access has accessVolatile and accessScopeSys, an atom or red without
  /// words has accessScopeGpu (its default) and is relaxed.
  struct Access {
    ThreadId thread;
    uint32_t site;
    uint32_t bytes;
    uint32_t flags;              // AccessFlags
    bool atomic = false;         // atom, red: one call, with accessWrite
    uint32_t alignment = 0;      // bytes; 0: the size, of bulk copies 16
  };
  /// false: reported, and the access must not happen (out of bounds, misaligned).
  /// What flags order (acquire, release, relaxed with fences) is done here, by the
  /// location: nobody calls release or acquire below for loads, stores and atomics.
  bool shared(const Access &, uint64_t offset);
  bool global(const Access &, uint64_t address);

  /// An asynchronous copy from global to shared memory (cp.async, and bulk copies) has
  /// been started by `thread`: its bytes are in flight until `copyDone`. False as above.
  /// The number names the copy. `globalBytes` of the source are being read until then
  /// as well; fewer than `bytes` where the rest is filled with zero, 0 for no source.
  bool copyStart(const Access &, uint64_t sharedOffset, uint32_t bytes, uint64_t &number,
                 uint64_t globalAddress = 0, uint32_t globalBytes = 0);
  /// The bytes are there. `thread` sees them (wait_group), or whoever acquires `clock` (mbarrier).
  void copyDone(uint64_t number, ThreadId thread);
  void copyDone(uint64_t number, Clock &clock);

  /// bar.warp.sync and other warp-wide operations that order memory: lanes in `mask`.
  void syncWarp(uint32_t warp, uint32_t mask);
  /// For barriers and mbarriers. What `thread` did before is visible to whoever acquires
  /// the clock later. A barrier acquires for all who wait at the moment it completes, or
  /// from a copy of the clock made then: the next phase may be released into already.
  void release(ThreadId thread, Clock &clock);
  void acquire(ThreadId thread, const Clock &clock);
  /// fence.acq_rel / membar of a scope wider than the block.
  void fence(ThreadId thread, bool gpuScope);

  /// Reports in the words of others: divergence, deadlock, a bad operand.
  bool report(Kind kind, uint32_t site, std::string message, ThreadId thread,
              uint32_t otherSite = ~0u);
  bool reportBlock(Kind kind, uint32_t site, std::string message, uint32_t otherSite = ~0u);
private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

class Clock {
public:
  Clock();
  ~Clock();
  Clock(const Clock &);
  Clock(Clock &&) noexcept;
  Clock &operator=(const Clock &);
  Clock &operator=(Clock &&) noexcept;
  void clear();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace nvemu

#endif // NVEMU_CHECK_CHECKER_H
