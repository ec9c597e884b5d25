//===- Operations.cpp - which family knows an opcode ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Families.h"

namespace nvemu {

namespace {

struct Family {
  std::string_view opcode;
  bool (*find)(SiteInfo &, unsigned &results, std::string &why);
};

constexpr Family families[] = {
    {"activemask", findActiveMask},
    {"atom", findAtomic},
    {"bar", findBarrier},
    {"barrier", findBarrier},
    {"cp", findCopyAsync},
    {"elect", findElect},
    {"fence", findFence},
    {"griddepcontrol", findGridDependency},
    {"ldmatrix", findMoveMatrix},
    {"match", findMatch},
    {"mbarrier", findMBarrier},
    {"membar", findFence},
    {"mma", findMma},
    {"movmatrix", findMoveMatrix},
    {"nanosleep", findNanosleep},
    {"red", findAtomic},
    {"redux", findRedux},
    {"shfl", findShuffle},
    {"stmatrix", findMoveMatrix},
    {"vote", findVote},
};

} // namespace

bool findOperation(SiteInfo &site, unsigned &results, std::string &why) {
  for (const Family &family : families)
    if (family.opcode == site.instruction->opcode)
      return family.find(site, results, why);
  if (!isOfLaterStep(*site.instruction, why))
    why = "there is no such opcode in nvemu";
  return false;
}

} // namespace nvemu
