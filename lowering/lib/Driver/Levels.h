//===- Levels.h - which CPU levels naxc compiles for ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_LEVELS_H
#define NAX_LIB_DRIVER_LEVELS_H

#include "Options.h"

namespace nax::driver {

/// The value of --cpu: names of CpuTarget and "native", with commas between.
llvm::Expected<std::vector<std::string>> parseLevels(llvm::StringRef text);

/// Names of CpuTarget, from the least to the best, at least one: those of
/// --cpu, else those that an object has by itself; of what is run here, the
/// best that it can run; of what is only looked at, the best.
std::vector<std::string> chooseLevels(const Options &options);

/// Of a command that runs what it compiles: whether all of its levels are for an
/// architecture like this machine's. The runtime asks what else a level needs.
llvm::Error checkLevelsRunHere(const Options &options);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_LEVELS_H
