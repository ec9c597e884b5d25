//===- Place.h - what operations have in common about threads ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_OPERATIONS_PLACE_H
#define NVEMU_EXEC_OPERATIONS_PLACE_H

#include "../Block.h"
#include "../Warp.h"

namespace nvemu {

inline constexpr char notSharedMessage[] = "the address is not one of the block's shared memory";

/// Whether all 32 lanes take part; reports if not, since what an absent lane brings
/// to a matrix is not defined.
inline bool areAllHere(Gathered &lanes) {
  if (lanes.lanes == ~0u)
    return true;
  unsigned first = lanes.lanes ? std::countr_zero(lanes.lanes) : 0;
  lanes.warp->block->report(Kind::Divergence, lanes.thread(first),
                            "all 32 lanes of the warp have to execute this, and some have exited");
  return false;
}

/// The offset of `address` in shared memory; gives the thread up where it is elsewhere.
inline uint64_t sharedOffset(Thread &thread, uint64_t address, ptx::Space space) {
  if (Block::resolve(address, space) != ptx::Space::Shared)
    thread.block->fail(Kind::Invalid, thread, notSharedMessage);
  return address;
}

} // namespace nvemu

#endif // NVEMU_EXEC_OPERATIONS_PLACE_H
