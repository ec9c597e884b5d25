//===- Object.cpp - from the LLVM dialect to files ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A level's code is one LLVM module, and so is all that a model has once: its C
// functions and its description, in instructions that every processor of the
// architecture has. They are linked to one module, in which each function says
// what processor it is for.
//
//===----------------------------------------------------------------------===//

#include "nax/Emit/Object.h"

#include "Abi.h"

#include "nax/CodeGen/CodeGen.h"
#include "nax/Conversion/CpuTarget.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Evaluator.h"

#include <mutex>

using namespace mlir;

// Of the many that LLVM has.
extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
void LLVMInitializeAArch64TargetInfo();
void LLVMInitializeAArch64Target();
void LLVMInitializeAArch64TargetMC();
void LLVMInitializeAArch64AsmPrinter();
}

namespace nax {

namespace {

/// What is wrong with a module, in the words of a diagnostic; empty: nothing.
using Trouble = std::string;

/// What an LLVM module is compiled for.
struct Machine {
  llvm::Triple triple;
  llvm::StringRef cpu, features;

  /// Instructions that every processor of the architecture has.
  static Machine least(const CpuTarget &target);
  static Machine of(const CpuTarget &target) {
    return {least(target).triple, target.llvmCpu, target.features};
  }
  std::unique_ptr<llvm::TargetMachine> create(Trouble &trouble) const;
};

} // namespace

static void initialiseTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
  });
}

Machine Machine::least(const CpuTarget &target) {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  if (triple.getArchName() != target.arch)
    triple = llvm::Triple(target.arch, "unknown", "linux", "gnu");
  return {triple, target.isX86() ? "x86-64" : "generic", ""};
}

std::unique_ptr<llvm::TargetMachine> Machine::create(Trouble &trouble) const {
  initialiseTargets();
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, trouble);
  if (!backend) {
    trouble = "no code generator: " + trouble;
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, cpu, features, llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// Optimises and writes one module.
static Trouble write(llvm::Module &code, const Machine &target, FileKind kind,
                     llvm::raw_pwrite_stream &os) {
  Trouble trouble;
  std::unique_ptr<llvm::TargetMachine> machine = target.create(trouble);
  if (!machine)
    return trouble;
  trouble = optimise(code, *machine, /*packsScalars=*/true);
  if (!trouble.empty())
    return trouble;
  if (kind == FileKind::LLVMIR) {
    code.print(os, nullptr);
    return "";
  }
  auto type = kind == FileKind::Object ? llvm::CodeGenFileType::ObjectFile
                                       : llvm::CodeGenFileType::AssemblyFile;
  return writeCode(code, *machine, type, os);
}

//===----------------------------------------------------------------------===//
// LLVM modules
//===----------------------------------------------------------------------===//

/// A level in the name of a symbol, where `+` is none of the letters.
static std::string symbolOf(llvm::StringRef level) {
  return level.ends_with("+") ? level.drop_back().str() + "plus" : level.str();
}

/// The code of a level, or of the form for GPUs.
static std::unique_ptr<llvm::Module>
translateCode(ModuleOp module, const ModelInfo &info, llvm::StringRef level,
              const Machine &machine, llvm::LLVMContext &context) {
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, context, info.name);
  if (!code)
    return nullptr;
  emitLevelAbi(*code, info, symbolOf(level));
  // Linked to code for less it stays what it is.
  for (llvm::Function &f : *code) {
    if (f.isDeclaration())
      continue;
    f.addFnAttr("target-cpu", machine.cpu);
    if (!machine.features.empty())
      f.addFnAttr("target-features", machine.features);
  }
  return code;
}

static ArrayAttr listOf(ModuleOp module, StringRef name) {
  auto attr = module->getAttrOfType<ArrayAttr>(name);
  return attr ? attr : ArrayAttr::get(module.getContext(), {});
}

static LevelAbi levelAbi(ModuleOp module, StringRef name, int64_t number) {
  auto bytes = module->getAttrOfType<IntegerAttr>("nax.block_bytes");
  return {symbolOf(name), number, listOf(module, "nax.slots"),
          bytes ? bytes.getInt() : 0};
}

namespace {

struct Emitter {
  ArrayRef<LevelModule> levels;
  ModelInfo &info;
  ModuleOp cudaModule;
  const ModelInfo *cudaInfo;
  SmallVector<CpuTarget> targets;

  ModuleOp first() const { return levels.front().module; }
  LogicalResult checkTargets();
  std::unique_ptr<llvm::Module> describe(llvm::LLVMContext &context);
  int64_t workspaceBytes(llvm::Module &code, const ModelEntry &entry,
                         ArrayRef<int64_t> sizes);
  void measureWorkspaces(llvm::Module &code);
  LogicalResult emit(FileKind kind, llvm::raw_pwrite_stream &os);
};

} // namespace

LogicalResult Emitter::checkTargets() {
  for (const LevelModule &level : levels) {
    std::optional<CpuTarget> target = CpuTarget::get(level.cpu);
    if (!target)
      return first().emitError()
             << "unknown CPU level '" << level.cpu << "'; " << CpuTarget::names;
    targets.push_back(*target);
    if (target->arch != targets.front().arch)
      return first().emitError()
             << "one object has code for one architecture, not for "
             << targets.front().name << " and " << target->name;
  }
  return success();
}

/// What a model has once. Null: reported on a module.
std::unique_ptr<llvm::Module> Emitter::describe(llvm::LLVMContext &context) {
  auto code = std::make_unique<llvm::Module>(info.name, context);
  SmallVector<LevelAbi> described;
  for (auto [level, target] : llvm::zip(levels, targets))
    described.push_back(levelAbi(level.module, target.name, target.number));
  emitAbi(*code, info, described);
  if (!cudaModule)
    return code;
  std::unique_ptr<llvm::Module> cuda = translateCode(
      cudaModule, *cudaInfo, "cuda", Machine::least(targets.front()), context);
  if (!cuda) {
    cudaModule.emitError() << "could not be translated to LLVM IR";
    return nullptr;
  }
  CudaCode kernels{listOf(cudaModule, "nax.images"),
                   listOf(cudaModule, "nax.kernels")};
  emitAbi(*cuda, *cudaInfo, levelAbi(cudaModule, "cuda", /*any*/ 0), &kernels);
  if (llvm::Linker::linkModules(*code, std::move(cuda))) {
    first().emitError() << "could not be joined with its form for GPUs";
    return nullptr;
  }
  return code;
}

/// What the plan says for these sizes, at the level that needs most; -1: it
/// can't be told.
int64_t Emitter::workspaceBytes(llvm::Module &code, const ModelEntry &entry,
                                ArrayRef<int64_t> sizes) {
  llvm::TargetLibraryInfoImpl known(code.getTargetTriple());
  llvm::TargetLibraryInfo library(known);
  auto *i64 = llvm::Type::getInt64Ty(code.getContext());
  int64_t most = -1;
  for (const CpuTarget &target : targets) {
    llvm::Function *size =
        code.getFunction(entry.name + ".workspace." + symbolOf(target.name));
    llvm::Evaluator evaluator(code.getDataLayout(), &library);
    SmallVector<llvm::Constant *> args;
    for (int64_t number : sizes)
      args.push_back(llvm::ConstantInt::get(i64, number));
    llvm::Constant *bytes = nullptr;
    if (!size || !evaluator.EvaluateFunction(size, bytes, args))
      return -1;
    auto *number = dyn_cast<llvm::ConstantInt>(bytes);
    most = number ? std::max(most, number->getSExtValue()) : most;
  }
  return most;
}

/// Where all sizes are 1, and where one of them is large.
void Emitter::measureWorkspaces(llvm::Module &code) {
  constexpr int64_t large = 1024;
  for (ModelEntry &entry : info.entries) {
    entry.workspace.clear();
    auto measure = [&](ArrayRef<int64_t> sizes) {
      if (int64_t bytes = workspaceBytes(code, entry, sizes); bytes >= 0)
        entry.workspace.emplace_back(
            SmallVector<int64_t, 4>(sizes.begin(), sizes.end()), bytes);
    };
    // No buffer in the workspace grows with the slots of a cache.
    SmallVector<int64_t, 4> sizes;
    for (int64_t axis : entry.dims)
      sizes.push_back(info.axes[axis].isSlots() ? 0 : 1);
    measure(sizes);
    for (auto [i, axis] : llvm::enumerate(entry.dims)) {
      int64_t limit = info.axes[axis].limit;
      if (sizes[i] == 0)
        continue;
      sizes[i] = limit < 0 ? large : std::min(limit, large);
      measure(sizes);
      sizes[i] = 1;
    }
  }
}

LogicalResult Emitter::emit(FileKind kind, llvm::raw_pwrite_stream &os) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = describe(context);
  if (!code)
    return failure();
  for (auto [level, target] : llvm::zip(levels, targets)) {
    ModuleOp module = level.module;
    std::unique_ptr<llvm::Module> part =
        translateCode(module, info, target.name, Machine::of(target), context);
    if (!part)
      return module.emitError() << "could not be translated to LLVM IR";
    if (llvm::Linker::linkModules(*code, std::move(part)))
      return module.emitError() << "could not be joined with its description";
  }
  measureWorkspaces(*code);
  for (llvm::Function &f : *code)
    if (f.hasHiddenVisibility() && !f.isDeclaration())
      f.setLinkage(llvm::GlobalValue::InternalLinkage);
  Trouble trouble = write(*code, Machine::least(targets.front()), kind, os);
  if (!trouble.empty())
    return first().emitError() << trouble;
  return success();
}

LogicalResult emitObject(ArrayRef<LevelModule> levels, ModelInfo &info,
                         FileKind kind, llvm::raw_pwrite_stream &os,
                         ModuleOp cudaModule, const ModelInfo *cudaInfo) {
  assert(!levels.empty() && "a model is compiled for some processor");
  Emitter emitter{levels, info, cudaModule, cudaInfo, {}};
  if (failed(emitter.checkTargets()))
    return failure();
  MLIRContext &context = *emitter.first().getContext();
  registerBuiltinDialectTranslation(context);
  registerLLVMDialectTranslation(context);
  return emitter.emit(kind, os);
}

} // namespace nax
