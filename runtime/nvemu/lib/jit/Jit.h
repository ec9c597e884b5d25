//===- Jit.h - PTX to machine code of the host ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_JIT_JIT_H
#define NVEMU_JIT_JIT_H

#include "../exec/Abi.h"
#include "../ptx/Ptx.h"

#include <map>
#include <memory>
#include <string>

namespace nvemu {

/// Where a parameter of a kernel lies in the bytes that KernelCode gets.
struct ParameterPlace {
  size_t offset, bytes;
};

struct KernelInfo {
  KernelCode code = nullptr;
  std::vector<ParameterPlace> parameters;
  size_t parameterBytes = 0;
  size_t staticShared = 0;                             // .shared variables with a size, at offsets from 0
  size_t sharedAlignment = 16;                         // of the extern ones, which begin after those
  unsigned maxThreads = 1024, requiredThreads[3] = {}; // 0: not said
};

/// Code of a module. Owns the sites, the .global and .const variables and the
/// parsed module.
struct Code {
  std::unique_ptr<ptx::Module> module;
  Sites sites;
  std::map<std::string, KernelInfo, std::less<>> kernels;
  struct Place {
    void *address;
    size_t bytes;
  };
  std::map<std::string, Place, std::less<>> variables;
  std::shared_ptr<void> jit; // keeps the code alive
};

/// nullptr, and `error` is `line 12: what is wrong`.
std::unique_ptr<Code> compile(std::unique_ptr<ptx::Module> module, std::string &error);

} // namespace nvemu

#endif // NVEMU_JIT_JIT_H
