//===- Warp.h - 32 threads and what they do together ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_WARP_H
#define NVEMU_EXEC_WARP_H

#include "Thread.h"

#include <cstdint>
#include <type_traits>

namespace nvemu {

inline constexpr unsigned warpSize = 32;

/// The lanes that have come to one operation, and what each brought. `in` and `out`
/// are those of nvemu_operate, by lane; null for a lane that takes no part.
struct Gathered {
  Warp *warp = nullptr;
  const SiteInfo *site = nullptr;
  uint32_t mask = 0;  // the member mask
  uint32_t lanes = 0; // of it those that are here: all that have not exited
  const uint64_t *in[warpSize] = {};
  uint64_t *out[warpSize] = {};

  Thread &thread(unsigned lane) const;
  bool has(unsigned lane) const { return lanes >> lane & 1; }

  // What follows is the rendezvous's own.
  bool (*compute)(void *closure, Gathered &) = nullptr;
  void *closure = nullptr;
  WaitQueue waiting;
  Gathered *next = nullptr;
};

struct Warp {
  Block *block = nullptr;
  uint32_t number = 0;
  Thread *threads = nullptr;   // lane 0; the others follow
  uint32_t members = 0;        // lanes that the block's size gives it
  uint32_t live = 0;           // of these, not ended
  Gathered *pending = nullptr; // operations that wait for lanes; the oldest is last
  uint32_t atBarrier = 0;      // lanes that wait at an aligned barrier,
  uint32_t barrierSite = 0;    // this one
  uint32_t barrierId = 0;
};

inline Thread &Gathered::thread(unsigned lane) const { return warp->threads[lane]; }

using Compute = bool (*)(void *closure, Gathered &);

/// The untyped form of `collective`.
void gather(Thread &, const SiteInfo &, uint32_t mask, const uint64_t *in, uint64_t *out, Compute compute,
            void *closure);

/// Reports unless all 32 lanes exist and are alive, and gives the thread up.
void needWholeWarp(Thread &);

/// Waits until all lanes of `mask` that have not exited have come to the same
/// operation (PTX ISA, "shfl.sync": the same qualifiers and the same mask); then
/// compute(Gathered &) runs once for all of them and each goes on. Where compute
/// returns bool, false gives all its lanes up; it has reported why. A lane outside
/// of its own mask, and lanes that wait for each other at different places, are
/// reported. May not return, so the caller holds nothing that wants destruction.
template <class F>
void collective(Thread &thread, const SiteInfo &site, uint32_t mask, const uint64_t *in, uint64_t *out, F &&compute) {
  using Function = std::remove_reference_t<F>;
  auto call = [](void *closure, Gathered &gathered) -> bool {
    auto &function = *static_cast<Function *>(closure);
    if constexpr (std::is_same_v<decltype(function(gathered)), bool>) {
      return function(gathered);
    } else {
      function(gathered);
      return true;
    }
  };
  gather(thread, site, mask, in, out, call, &compute);
}

/// The same of an operation that all 32 lanes must execute together: mma.sync,
/// ldmatrix and others whose .aligned leaves no choice.
template <class F>
void collectiveWholeWarp(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out, F &&compute) {
  needWholeWarp(thread);
  collective(thread, site, ~0u, in, out, compute);
}

/// A thread has ended: the operations that only waited for it go on.
void gathersWithout(Thread &);

} // namespace nvemu

#endif // NVEMU_EXEC_WARP_H
