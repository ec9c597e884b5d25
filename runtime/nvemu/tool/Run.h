//===- Run.h - one launch, or a list of kernels -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_TOOL_RUN_H
#define NVEMU_TOOL_RUN_H

#include "CommandLine.h"

namespace nvemu::tool {

/// The exit status: 0 clean, 1 findings, 2 with `error`, what cannot be done.
int run(const CommandLine &line, std::string &error);

} // namespace nvemu::tool

#endif // NVEMU_TOOL_RUN_H
