//===- AbiEmitter.h - the C functions and constants of a model --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Private to Abi.cpp (functions) and AbiDescription.cpp (constants).
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_EMIT_ABIEMITTER_H
#define NAX_LIB_EMIT_ABIEMITTER_H

#include "Abi.h"

#include "llvm/IR/IRBuilder.h"

namespace nax {

class AbiEmitter {
public:
  AbiEmitter(llvm::Module &module, const ModelInfo &info, const CudaCode *cuda)
      : module(module), info(info), cuda(cuda), context(module.getContext()),
        ptr(llvm::PointerType::get(context, 0)),
        i64(llvm::Type::getInt64Ty(context)) {}

  void run(llvm::ArrayRef<LevelAbi> levels);
  void defineCode(llvm::StringRef level);

private:
  // --- constants
  llvm::Constant *number(int64_t v) {
    return llvm::ConstantInt::get(i64, v, true);
  }
  llvm::Constant *null() { return llvm::ConstantPointerNull::get(ptr); }
  llvm::Constant *text(llvm::StringRef s);
  /// NULL for the empty text.
  llvm::Constant *textOrNull(llvm::StringRef s) {
    return s.empty() ? null() : text(s);
  }
  llvm::Constant *record(llvm::ArrayRef<llvm::Constant *> fields) {
    return llvm::ConstantStruct::getAnon(context, fields);
  }
  llvm::Constant *array(llvm::ArrayRef<llvm::Constant *> elements);
  llvm::Constant *numbers(llvm::ArrayRef<int64_t> values);

  // --- functions
  llvm::Function *lowered(const llvm::Twine &name) {
    llvm::Function *f = module.getFunction(name.str());
    assert(f && "every entry was lowered");
    return f;
  }
  llvm::Function *define(llvm::Type *result,
                         llvm::ArrayRef<llvm::Type *> params,
                         const llvm::Twine &name, bool exported);
  llvm::FunctionCallee runtime(llvm::Type *result,
                               llvm::ArrayRef<llvm::Type *> params,
                               llvm::StringRef name) {
    return module.getOrInsertFunction(
        name, llvm::FunctionType::get(result, params, false));
  }
  /// Seen by the object that is joined from several, and by nobody else.
  llvm::Function *hidden(llvm::Type *result,
                         llvm::ArrayRef<llvm::Type *> params,
                         const llvm::Twine &name);
  /// (memref of bytes) as the five arguments that MLIR passes.
  void pushBytes(llvm::IRBuilder<> &b,
                 llvm::SmallVectorImpl<llvm::Value *> &args, llvm::Value *p) {
    args.append({p, p, number(0), number(INT64_MAX), number(1)});
  }
  llvm::Constant *entry(const ModelEntry &entry);
  llvm::Constant *slot(mlir::DictionaryAttr slot);
  llvm::Constant *level(const LevelAbi &level);
  /// The two functions of an entry's code, which another module defines.
  llvm::Function *workspaceOf(const ModelEntry &entry, llvm::StringRef level);
  llvm::Function *bodyOf(const ModelEntry &entry, llvm::StringRef level);
  void defineWorkspace(const ModelEntry &entry, llvm::StringRef level);
  void defineBody(const ModelEntry &entry, llvm::StringRef level);
  void exportEntry(const ModelEntry &entry, size_t at,
                   llvm::GlobalVariable *desc);
  void exportWorkspace(const ModelEntry &entry, size_t at,
                       llvm::GlobalVariable *desc);
  void exportParams(llvm::GlobalVariable *desc);
  void exportCache(const ModelEntry &step, llvm::GlobalVariable *desc);
  llvm::Constant *buffer(const ModelBuffer &buffer);
  void describeKernels(llvm::SmallVectorImpl<llvm::Constant *> &fields);

  // --- the names that headers have
  std::string prefix() const { return info.name + (cuda ? "_cuda" : ""); }
  std::string function(const ModelEntry &entry) const {
    return info.name + "_" + entry.name + (cuda ? "_cuda" : "");
  }
  std::string onRuntime(llvm::StringRef name) const {
    return ((cuda ? "naxrt_cuda_" : "naxrt_") + name).str();
  }
  /// Inputs and outputs, which are addresses on the GPU there.
  bool isRemote(const ModelBuffer &buffer) const {
    return cuda && (buffer.role == Role::Input || buffer.role == Role::Output);
  }

  llvm::Module &module;
  const ModelInfo &info;
  const CudaCode *cuda; ///< null: the form for the CPU
  llvm::LLVMContext &context;
  llvm::PointerType *ptr;
  llvm::IntegerType *i64;
};

} // namespace nax

#endif // NAX_LIB_EMIT_ABIEMITTER_H
