//===- Unit.cpp - a module in translation ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Unit.h"
#include "Translator.h"

namespace nvemu::jit {

Unit::Unit(Code &code, const Layout &layout, llvm::LLVMContext &context)
    : code(code), layout(layout), context(context), module(std::make_unique<llvm::Module>("ptx", context)) {}

void Unit::fail(unsigned line, const llvm::Twine &why) {
  if (error.empty())
    error = ("line " + llvm::Twine(line) + ": " + why).str();
}

uint32_t Unit::addSite(const SiteInfo &site) {
  code.sites.push_back(site);
  return code.sites.size() - 1;
}

llvm::Function *Unit::codeOf(const ptx::Function *function) const {
  auto found = functions.find(function);
  return found == functions.end() ? nullptr : found->second;
}

std::string Unit::symbolOf(const ptx::Function &function) {
  return (function.isEntry ? "kernel." : "function.") + function.name;
}

void Unit::declare(const ptx::Function &function) {
  auto *pointer = llvm::PointerType::get(context, 0);
  std::vector<llvm::Type *> types = {pointer};
  if (function.isEntry) {
    types.push_back(pointer);
  } else {
    types.push_back(llvm::Type::getInt32Ty(context));
    types.insert(types.end(), function.parameters.size() + function.results.size(), pointer);
  }
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
  auto linkage = function.isEntry ? llvm::Function::ExternalLinkage : llvm::Function::InternalLinkage;
  auto *made = llvm::Function::Create(type, linkage, symbolOf(function), *module);
  made->setDoesNotThrow();
  functions[&function] = made;
}

bool Unit::translate() {
  for (const auto &[name, function] : layout.functions)
    if (!function->isDeclaration)
      declare(*function);
  // In the order of the text, so that the first mistake there is the one told.
  for (const ptx::Function &function : code.module->functions)
    if (llvm::Function *made = codeOf(&function)) {
      Translator(*this, function, *made).run();
      if (!error.empty())
        return false;
    }
  return true;
}

} // namespace nvemu::jit
