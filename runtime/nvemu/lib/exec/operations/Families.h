//===- Families.h - opcodes by the file that knows them ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Each has the contract of findOperation for its opcodes: false, and `why`, for a
// modifier or a number of operands that it does not know.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_OPERATIONS_FAMILIES_H
#define NVEMU_EXEC_OPERATIONS_FAMILIES_H

#include "../Abi.h"

#include <string>

namespace nvemu {

bool findBarrier(SiteInfo &, unsigned &results, std::string &why);        // bar, barrier
bool findVote(SiteInfo &, unsigned &results, std::string &why);           // vote
bool findMatch(SiteInfo &, unsigned &results, std::string &why);          // match
bool findActiveMask(SiteInfo &, unsigned &results, std::string &why);     // activemask
bool findElect(SiteInfo &, unsigned &results, std::string &why);          // elect
bool findShuffle(SiteInfo &, unsigned &results, std::string &why);        // shfl
bool findFence(SiteInfo &, unsigned &results, std::string &why);          // fence, membar
bool findNanosleep(SiteInfo &, unsigned &results, std::string &why);      // nanosleep
bool findGridDependency(SiteInfo &, unsigned &results, std::string &why); // griddepcontrol
bool findAtomic(SiteInfo &, unsigned &results, std::string &why);         // atom, red
bool findRedux(SiteInfo &, unsigned &results, std::string &why);          // redux
bool findMma(SiteInfo &, unsigned &results, std::string &why);            // mma
bool findMoveMatrix(SiteInfo &, unsigned &results, std::string &why);     // ldmatrix, stmatrix, movmatrix
bool findCopyAsync(SiteInfo &, unsigned &results, std::string &why);      // cp
bool findMBarrier(SiteInfo &, unsigned &results, std::string &why);       // mbarrier

/// Whether it is an opcode that nvemu knows of and does not run; `why` says what it is.
bool isOfLaterStep(const ptx::Instruction &, std::string &why);

} // namespace nvemu

#endif // NVEMU_EXEC_OPERATIONS_FAMILIES_H
