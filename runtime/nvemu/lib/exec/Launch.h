//===- Launch.h - one launch, shared by its blocks --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_LAUNCH_H
#define NVEMU_EXEC_LAUNCH_H

#include "../check/Checker.h"
#include "../jit/Jit.h"
#include "nvemu/nvemu.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace nvemu {

/// What a launch asks for.
struct LaunchRequest {
  Dim3 grid, block;
  size_t dynamicShared = 0;
  Options options;
};

/// What the CUDA driver would refuse about it on a device of compute capability 8.0
/// or 9.0; empty: nothing. One sentence.
std::string launchFault(const KernelInfo &kernel, const LaunchRequest &request);

/// Bytes of shared memory of a block: the static ones, and the dynamic ones behind.
size_t sharedBytes(const KernelInfo &kernel, size_t dynamicShared);

struct LaunchState {
  LaunchState(const Code &code, const KernelInfo &kernel, const std::string &name, const LaunchRequest &request,
              const void *const *params);

  /// Runs all blocks.
  Report run();

  const Sites &sites;
  const KernelInfo &kernel;
  const Dim3 grid, blockSize;
  const size_t sharedBytes, dynamicShared;
  const Options options;
  const size_t blocks;
  std::vector<uint8_t> parameters;
  Findings findings;
  GlobalChecker global;
  std::atomic<bool> stop = false; // there are findings enough
  std::atomic<bool> unfinished = false;

  const size_t workers; // host threads
  /// How often a block came to a standstill; and of each worker 0 while its block goes on, the
  /// epoch at whose end it stood still, or ~0 when there are no more blocks for it: Spinning.cpp.
  std::atomic<uint64_t> epoch = 0;
  std::vector<std::atomic<uint64_t>> standstill;

private:
  void work(size_t worker, Report &counts);
  std::atomic<size_t> next = 0; // the block that nobody has begun
};

} // namespace nvemu

#endif // NVEMU_EXEC_LAUNCH_H
