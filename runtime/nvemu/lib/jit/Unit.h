//===- Unit.h - a module in translation -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_JIT_UNIT_H
#define NVEMU_JIT_UNIT_H

#include "Layout.h"

#include "llvm/ADT/Twine.h"
#include "llvm/IR/Module.h"

namespace nvemu::jit {

/// What the translations of a module's functions share.
class Unit {
public:
  Unit(Code &code, const Layout &layout, llvm::LLVMContext &context);
  /// false, and `error` is `line 12: what is wrong`.
  bool translate();

  /// The first mistake stays.
  void fail(unsigned line, const llvm::Twine &why);
  uint32_t addSite(const SiteInfo &);
  /// The code of a function that the module defines, else nullptr. A kernel is
  /// `void (Thread *, parameters)`, another one `void (Thread *, i32 where
  /// dynamic shared memory begins, a pointer for each parameter, one for each result)`.
  llvm::Function *codeOf(const ptx::Function *) const;
  static std::string symbolOf(const ptx::Function &);

  Code &code;
  const Layout &layout;
  llvm::LLVMContext &context;
  std::unique_ptr<llvm::Module> module;
  std::string error;

private:
  void declare(const ptx::Function &);
  std::map<const ptx::Function *, llvm::Function *> functions;
};

} // namespace nvemu::jit

#endif // NVEMU_JIT_UNIT_H
