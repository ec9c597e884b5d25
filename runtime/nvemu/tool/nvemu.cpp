//===- nvemu.cpp - runs a kernel of a PTX file on the CPU -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Run.h"

#include <cstdio>

int main(int count, char **words) {
  nvemu::tool::CommandLine line;
  std::string error;
  int status = 2;
  if (nvemu::tool::parseCommandLine(count, words, line, error)) {
    if (line.help) {
      std::fputs(nvemu::tool::usage, stdout);
      return 0;
    }
    status = nvemu::tool::run(line, error);
  }
  if (status == 2)
    std::fprintf(stderr, "nvemu: error: %s\n", error.c_str());
  return status;
}
