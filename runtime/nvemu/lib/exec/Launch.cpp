//===- Launch.cpp - one launch: its limits and its blocks -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include "Block.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace nvemu {

namespace {

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
constexpr unsigned mostThreads = 1024, mostThreadsZ = 64;
constexpr unsigned mostGridX = 0x7fffffff, mostGridYZ = 65535;
constexpr size_t mostShared = 227 * 1024;

std::string text(Dim3 size) {
  return std::to_string(size.x) + "," + std::to_string(size.y) + "," + std::to_string(size.z);
}

std::string blockFault(const KernelInfo &kernel, Dim3 block) {
  const uint64_t threads = uint64_t(block.x) * block.y * block.z;
  const std::string asked = "a block of " + text(block) + " threads";
  if (!block.x || !block.y || !block.z)
    return asked + " has none: each size is at least 1";
  if (block.x > mostThreads || block.y > mostThreads || block.z > mostThreadsZ ||
      uint64_t(block.x) * block.y > mostThreads || threads > mostThreads)
    return asked + " is too large: at most 1024 in all, and 64 along z";
  const unsigned *required = kernel.requiredThreads;
  if (required[0]) {
    const Dim3 wanted{required[0], std::max(required[1], 1u), std::max(required[2], 1u)};
    if (block.x != wanted.x || block.y != wanted.y || block.z != wanted.z)
      return asked + " is not what .reqntid of the kernel demands: " + text(wanted);
  }
  if (threads > kernel.maxThreads)
    return asked + " is more than .maxntid of the kernel allows: " + std::to_string(kernel.maxThreads);
  return {};
}

} // namespace

size_t sharedBytes(const KernelInfo &kernel, size_t dynamicShared) {
  const size_t alignment = std::max<size_t>(kernel.sharedAlignment, 1);
  const size_t begin = (kernel.staticShared + alignment - 1) / alignment * alignment;
  return dynamicShared ? begin + dynamicShared : kernel.staticShared;
}

std::string launchFault(const KernelInfo &kernel, const LaunchRequest &request) {
  const Dim3 grid = request.grid;
  if (!grid.x || !grid.y || !grid.z)
    return "a grid of " + text(grid) + " blocks has none: each size is at least 1";
  if (grid.x > mostGridX || grid.y > mostGridYZ || grid.z > mostGridYZ)
    return "a grid of " + text(grid) + " blocks is too large: at most 2147483647 along x, and 65535 along y and z";
  if (std::string fault = blockFault(kernel, request.block); !fault.empty())
    return fault;
  if (request.dynamicShared > mostShared || sharedBytes(kernel, request.dynamicShared) > mostShared)
    return std::to_string(kernel.staticShared) + " bytes of static and " + std::to_string(request.dynamicShared) +
           " of dynamic shared memory are too many: a block has at most 232448";
  return {};
}

static std::vector<uint8_t> packed(const KernelInfo &kernel, const void *const *params) {
  // Room behind them for code that reads a parameter by a wider load.
  std::vector<uint8_t> bytes(kernel.parameterBytes + 16);
  for (size_t number = 0; number < kernel.parameters.size(); ++number)
    std::memcpy(bytes.data() + kernel.parameters[number].offset, params[number], kernel.parameters[number].bytes);
  return bytes;
}

LaunchState::LaunchState(const Code &code, const KernelInfo &kernel, const std::string &name,
                         const LaunchRequest &request, const void *const *params)
    : sites(code.sites), kernel(kernel), grid(request.grid), blockSize(request.block),
      sharedBytes(nvemu::sharedBytes(kernel, request.dynamicShared)), dynamicShared(request.dynamicShared),
      options(request.options), blocks(size_t(grid.x) * grid.y * grid.z), parameters(packed(kernel, params)),
      findings(code.sites, *code.module, name, std::max(options.maxFindings, 1u)),
      global(findings, blocks, options.checks, options.hostThreads > 1),
      workers(std::clamp<size_t>(options.hostThreads, 1, std::min<size_t>(blocks, 256))), standstill(workers) {}

/// Runs blocks as long as there are any; one host thread's part.
void LaunchState::work(size_t worker, Report &counts) {
  Block block(*this, worker);
  while (!stop.load(std::memory_order_relaxed)) {
    const size_t number = next.fetch_add(1, std::memory_order_relaxed);
    if (number >= blocks)
      break;
    if (!block.run(number))
      unfinished = true;
  }
  standstill[worker] = ~uint64_t(0);
  counts.sharedAccesses = block.sharedAccesses;
  counts.globalAccesses = block.globalAccesses;
  counts.collectives = block.collectives;
  counts.barriers = block.barriersDone;
}

Report LaunchState::run() {
  std::vector<Report> counts(workers);
  std::vector<std::thread> others;
  for (size_t worker = 1; worker < workers; ++worker)
    others.emplace_back([&, worker] { work(worker, counts[worker]); });
  work(0, counts[0]);
  for (std::thread &other : others)
    other.join();

  Report report;
  for (const Report &part : counts) {
    report.sharedAccesses += part.sharedAccesses;
    report.globalAccesses += part.globalAccesses;
    report.collectives += part.collectives;
    report.barriers += part.barriers;
  }
  report.finished = !unfinished && !stop;
  report.findings = findings.take();
  return report;
}

} // namespace nvemu
