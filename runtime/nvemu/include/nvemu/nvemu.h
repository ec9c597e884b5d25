//===- nvemu.h - PTX kernels, run and checked on the CPU --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A module is PTX text, a launch runs one of its kernels on every thread of a
// grid and says what it found: races, missing waits, accesses outside of a
// buffer, deadlocks. Functional only: nothing here says how long a GPU takes.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_NVEMU_H
#define NVEMU_NVEMU_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nvemu {

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};

/// A line of the PTX text, and the line of the model that `.loc` says it is from.
struct Site {
  std::string kernel;
  unsigned line = 0;        // of the PTX text, from 1
  std::string text;         // that line, without blanks around it
  std::string file;         // by .loc; empty where there is none
  unsigned fileLine = 0, fileColumn = 0;
};

enum class Kind {
  Race,            // two accesses, one a write, that nothing orders
  AsyncInFlight,   // an access to bytes that an asynchronous copy still fills or reads
  Uninitialized,   // a read of bytes that nobody wrote
  OutOfBounds,
  Misaligned,
  Divergence,      // lanes of one warp-wide operation at different places
  Deadlock,
  Barrier,         // a barrier or mbarrier that is misused
  Invalid,         // an operand that the PTX ISA forbids
  Trap,            // the kernel executed trap
  Limit,           // it ran too long, or asks for more than the device has
};

/// What was found, at most once for each kind and line.
struct Finding {
  Kind kind;
  std::string message;      // one sentence, without the place
  Site site;
  Dim3 block, thread;       // who came upon it first
  bool hasThread = true;
  Site other;               // the other access of a race; line 0 where there is none
  uint64_t count = 1;       // how often
};

/// `race: shared memory at 128 is written here and was read by thread 37, with
/// no barrier between (kernel k, block 0,0,0, thread 5,0,0)` and the lines.
std::string describe(const Finding &finding);

struct Options {
  bool checks = true;       // false: right numbers only, about twice as fast
  uint64_t seed = 0;        // 0: threads run in their order; else in an order drawn from it
  unsigned hostThreads = 1; // blocks that run at once
  unsigned maxFindings = 16;
  uint64_t maxSteps = 0;    // switches between threads of one block, and turns of their loops, before Limit; 0: none
};

struct Report {
  std::vector<Finding> findings;
  bool finished = false;    // all threads came to their end
  uint64_t sharedAccesses = 0, globalAccesses = 0, collectives = 0, barriers = 0;
  bool clean() const { return finished && findings.empty(); }
};

/// Memory of the emulated device. An address is a host address, so reading a
/// result needs no copy; what kernels may touch is only what was allocated.
/// Bytes count as uninitialised until `markInitialized` or a kernel's write.
void *allocate(size_t bytes);                   // nullptr: no memory; 256-byte aligned
bool release(void *);                           // false: not from allocate
bool isAllocated(const void *, size_t bytes);   // all of it within one allocation
void markInitialized(const void *, size_t bytes);

class Module {
public:
  /// nullptr, and `error` says the PTX line and what is wrong there.
  static std::unique_ptr<Module> load(std::string_view ptx, std::string &error);
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  std::vector<std::string> kernels() const;
  std::string target() const;                   // "sm_80"
  /// Bytes of each parameter of a kernel, in order; empty for an unknown one.
  std::vector<size_t> parameterSizes(std::string_view kernel) const;
  size_t staticShared(std::string_view kernel) const;
  unsigned maxThreads(std::string_view kernel) const; // .maxntid, .reqntid; 1024 without
  /// Address and size of a .global or .const variable; nullptr for an unknown one.
  void *variable(std::string_view name, size_t &bytes) const;

  /// `params[i]` points to parameter i, as cuLaunchKernel takes them.
  Report launch(std::string_view kernel, Dim3 grid, Dim3 block,
                size_t dynamicShared, const void *const *params,
                const Options &options = {}) const;

private:
  struct Impl;
  explicit Module(std::unique_ptr<Impl>);
  std::unique_ptr<Impl> impl;
};

} // namespace nvemu

#endif // NVEMU_NVEMU_H
