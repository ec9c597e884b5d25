// SPDX-License-Identifier: Apache-2.0
// Drives the checker of nvemu without a kernel: a launch whose accesses a test makes one by one.
#ifndef TEST_NVEMU_CHECKER_H
#define TEST_NVEMU_CHECKER_H

#include "check/Checker.h"

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <deque>

using namespace nvemu;

inline int failures = 0;

struct Launch {
  ptx::Module module;
  std::deque<ptx::Instruction> instructions;
  Sites sites;
  Findings findings;
  GlobalChecker global;
  std::deque<BlockChecker> blocks;
  uint32_t next = 0; // the site of the next access: line 1, 2, ...

  explicit Launch(unsigned threads = 128, size_t sharedBytes = 4096, unsigned blockCount = 1, bool checks = true,
                  bool concurrent = false)
      : findings(sites, module, "k", 16), global(findings, blockCount, checks, concurrent) {
    for (unsigned line = 1; line != 100; ++line) {
      instructions.emplace_back().line = line;
      SiteInfo site;
      site.instruction = &instructions.back();
      sites.push_back(site);
      module.lines.push_back("\tline" + std::to_string(line) + ";");
    }
    for (unsigned i = 0; i != blockCount; ++i)
      blocks.emplace_back(findings, global, Dim3{i, 0, 0}, i, Dim3{threads, 1, 1}, sharedBytes, checks);
  }

  bool read(ThreadId thread, uint64_t offset, uint32_t bytes = 4, uint32_t flags = 0) {
    return blocks[0].shared({thread, next++, bytes, flags}, offset);
  }
  bool write(ThreadId thread, uint64_t offset, uint32_t bytes = 4, uint32_t flags = 0) {
    return blocks[0].shared({thread, next++, bytes, flags | accessWrite}, offset);
  }
  bool atomic(ThreadId thread, uint64_t offset, uint32_t flags = 0) {
    return blocks[0].shared({thread, next++, 4, flags | accessWrite, true}, offset);
  }
  bool readGlobal(unsigned block, ThreadId thread, const void *at, uint32_t bytes = 4, uint32_t flags = 0) {
    return blocks[block].global({thread, next++, bytes, flags}, reinterpret_cast<uint64_t>(at));
  }
  bool writeGlobal(unsigned block, ThreadId thread, const void *at, uint32_t bytes = 4, uint32_t flags = 0) {
    return blocks[block].global({thread, next++, bytes, flags | accessWrite}, reinterpret_cast<uint64_t>(at));
  }
  bool atomicGlobal(unsigned block, ThreadId thread, const void *at, uint32_t flags = accessScopeGpu) {
    return blocks[block].global({thread, next++, 4, flags | accessWrite, true}, reinterpret_cast<uint64_t>(at));
  }
  void barrier(unsigned threads = 128, unsigned block = 0) {
    Clock clock;
    for (ThreadId t = 0; t != threads; ++t)
      blocks[block].release(t, clock);
    for (ThreadId t = 0; t != threads; ++t)
      blocks[block].acquire(t, clock);
  }
  void pass(ThreadId from, ThreadId to) {
    Clock clock;
    blocks[0].release(from, clock);
    blocks[0].acquire(to, clock);
  }

  /// The findings are exactly this text: `kind: message` each on a line.
  void expect(const char *what, const std::string &wanted = "") {
    std::string found;
    for (const Finding &finding : findings.take()) {
      std::string text = describe(finding);
      found += (found.empty() ? "" : "\n") + text.substr(0, text.find(" (kernel k, "));
    }
    if (found == wanted)
      return;
    ++failures;
    std::printf("%s:\n  wanted: %s\n  found:  %s\n", what, wanted.c_str(), found.c_str());
  }
};

/// A buffer that is released in the end; initialised, unless `fresh`.
struct Buffer {
  char *data;
  explicit Buffer(size_t bytes, bool fresh = false) : data(static_cast<char *>(allocate(bytes))) {
    if (!fresh)
      markInitialized(data, bytes);
  }
  ~Buffer() { release(data); }
  char *operator+(ptrdiff_t offset) const { return data + offset; }
};

inline void check(bool holds, const char *what) {
  if (!holds)
    ++failures, std::printf("does not hold: %s\n", what);
}

#define CHECK(condition) check(condition, #condition)

#endif // TEST_NVEMU_CHECKER_H
