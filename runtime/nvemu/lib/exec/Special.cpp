//===- Special.cpp - special registers ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Special Registers". The device has one multiprocessor; a clock counts
// what happens in the block and says nothing about time; each block is a cluster.
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Launch.h"

namespace nvemu {

namespace {

struct Register {
  std::string_view name;
  uint64_t (*value)(Thread &);
};

Block &block(Thread &thread) { return *thread.block; }
const LaunchState &launch(Thread &thread) { return thread.block->launch; }
uint64_t zero(Thread &) { return 0; }
uint64_t one(Thread &) { return 1; }
uint32_t lanesBelow(Thread &thread) { return (1u << thread.lane) - 1; }
uint64_t tick(Thread &thread) {
  block(thread).changed();
  return block(thread).time += 16;
}
uint64_t tickHigh(Thread &thread) { return tick(thread) >> 32; }
uint64_t tickLow(Thread &thread) { return uint32_t(tick(thread)); }

/// The index in this table is the register's number; the commonest stand first.
constexpr Register registers[] = {
    {"%tid.x", [](Thread &t) -> uint64_t { return t.index.x; }},
    {"%tid.y", [](Thread &t) -> uint64_t { return t.index.y; }},
    {"%tid.z", [](Thread &t) -> uint64_t { return t.index.z; }},
    {"%ctaid.x", [](Thread &t) -> uint64_t { return block(t).index.x; }},
    {"%ctaid.y", [](Thread &t) -> uint64_t { return block(t).index.y; }},
    {"%ctaid.z", [](Thread &t) -> uint64_t { return block(t).index.z; }},
    {"%ntid.x", [](Thread &t) -> uint64_t { return launch(t).blockSize.x; }},
    {"%ntid.y", [](Thread &t) -> uint64_t { return launch(t).blockSize.y; }},
    {"%ntid.z", [](Thread &t) -> uint64_t { return launch(t).blockSize.z; }},
    {"%nctaid.x", [](Thread &t) -> uint64_t { return launch(t).grid.x; }},
    {"%nctaid.y", [](Thread &t) -> uint64_t { return launch(t).grid.y; }},
    {"%nctaid.z", [](Thread &t) -> uint64_t { return launch(t).grid.z; }},
    {"%laneid", [](Thread &t) -> uint64_t { return t.lane; }},
    {"%warpid", [](Thread &t) -> uint64_t { return t.warp->number; }},
    {"%nwarpid", [](Thread &t) -> uint64_t { return block(t).warps.size(); }},
    {"%lanemask_eq", [](Thread &t) -> uint64_t { return 1u << t.lane; }},
    {"%lanemask_lt", [](Thread &t) -> uint64_t { return lanesBelow(t); }},
    {"%lanemask_le", [](Thread &t) -> uint64_t { return lanesBelow(t) | 1u << t.lane; }},
    {"%lanemask_gt", [](Thread &t) -> uint64_t { return uint32_t(~(lanesBelow(t) | 1u << t.lane)); }},
    {"%lanemask_ge", [](Thread &t) -> uint64_t { return uint32_t(~lanesBelow(t)); }},
    {"%dynamic_smem_size", [](Thread &t) -> uint64_t { return launch(t).dynamicShared; }},
    {"%total_smem_size", [](Thread &t) -> uint64_t { return launch(t).sharedBytes; }},
    {"%aggr_smem_size", [](Thread &t) -> uint64_t { return launch(t).sharedBytes; }},
    {"%clock", tickLow},
    {"%clock_hi", tickHigh},
    {"%clock64", tick},
    {"%globaltimer", tick},
    {"%globaltimer_lo", tickLow},
    {"%globaltimer_hi", tickHigh},
    {"%smid", zero},
    {"%nsmid", one},
    {"%gridid", zero},
    {"%clusterid.x", [](Thread &t) -> uint64_t { return block(t).index.x; }},
    {"%clusterid.y", [](Thread &t) -> uint64_t { return block(t).index.y; }},
    {"%clusterid.z", [](Thread &t) -> uint64_t { return block(t).index.z; }},
    {"%nclusterid.x", [](Thread &t) -> uint64_t { return launch(t).grid.x; }},
    {"%nclusterid.y", [](Thread &t) -> uint64_t { return launch(t).grid.y; }},
    {"%nclusterid.z", [](Thread &t) -> uint64_t { return launch(t).grid.z; }},
    {"%cluster_ctaid.x", zero},
    {"%cluster_ctaid.y", zero},
    {"%cluster_ctaid.z", zero},
    {"%cluster_nctaid.x", one},
    {"%cluster_nctaid.y", one},
    {"%cluster_nctaid.z", one},
    {"%cluster_ctarank", zero},
    {"%cluster_nctarank", one},
    {"%is_explicit_cluster", zero},
};

} // namespace

int specialRegister(std::string_view name) {
  for (const Register &candidate : registers)
    if (candidate.name == name)
      return static_cast<int>(&candidate - registers);
  return -1;
}

extern "C" uint64_t nvemu_special(Thread *thread, uint32_t which) { return registers[which].value(*thread); }

} // namespace nvemu
