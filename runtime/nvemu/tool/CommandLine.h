//===- CommandLine.h - what `nvemu` is asked to do --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_TOOL_COMMANDLINE_H
#define NVEMU_TOOL_COMMANDLINE_H

#include "nvemu/nvemu.h"

namespace nvemu::tool {

struct CommandLine {
  std::string file, kernel;
  bool list = false, help = false;
  Dim3 grid, block;
  size_t shared = 0;     // bytes, dynamic
  uint64_t dataSeed = 0; // of random buffers
  Options options;
  std::vector<std::string> arguments;
  struct Print {
    size_t argument;
    bool hex;
  };
  std::vector<Print> prints;
  struct Out {
    size_t argument;
    std::string file;
  };
  std::vector<Out> outs;
};

/// False, and `error` says which word is wrong.
bool parseCommandLine(int count, const char *const *words, CommandLine &line, std::string &error);

extern const char *const usage;

} // namespace nvemu::tool

#endif // NVEMU_TOOL_COMMANDLINE_H
