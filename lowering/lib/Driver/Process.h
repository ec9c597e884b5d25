//===- Process.h - run a program under limits and keep what it says -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_PROCESS_H
#define NAX_LIB_DRIVER_PROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <sys/types.h>

namespace nax::driver {

struct Limits {
  int seconds = 0;   ///< wall clock; 0: none
  int64_t bytes = 0; ///< address space; 0: none
};

/// How a child ended.
struct Ending {
  enum Kind { Exited, Signalled, TimedOut, NotStarted } kind = Exited;
  /// The exit status, the signal, or errno of a failed start.
  int code = 0;

  bool ok() const { return kind == Exited && code == 0; }
  /// "ended with status 3", "was killed by signal 11 (Segmentation fault)", ...
  std::string describe(const Limits &limits) const;
};

struct ProcessResult {
  Ending ending;
  std::string out, err;
};

/// Runs `argv` in a process group of its own, which is killed as a whole when
/// the time is up, and when naxc itself ends. Standard input is empty.
/// `merged`: both streams are kept, in the order they were written, in `err`.
ProcessResult runProcess(llvm::ArrayRef<std::string> argv, Limits limits,
                         bool merged = false);

/// Waits for a child that leads its own process group; kills the whole group
/// when it is over or its time is.
Ending waitForGroup(pid_t child, const Limits &limits);

/// In a forked child: leave the parent's group and die with the parent.
void becomeGroupLeader();

/// In the parent: what naxc kills when a signal ends it. 0: nothing.
void setCurrentGroup(pid_t group);

/// "clang++-22 -c 'my model.cpp'": as one would type it into a shell.
std::string shellCommand(llvm::ArrayRef<std::string> argv);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_PROCESS_H
