//===- Jit.cpp - PTX to machine code of the host --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Jit.h"
#include "Helpers.h"
#include "Unit.h"

#include "nvemu/nvemu.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

namespace nvemu {
namespace {

using namespace jit;

/// What Code::jit keeps alive.
struct Loaded {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::vector<void *> memory;
  ~Loaded() {
    for (void *address : memory)
      release(address);
  }
};

/// Scalar optimisations and inlining. Threads are fibers that run one kernel
/// each, mostly calls of nvemu_access: unrolling and vectors would cost more
/// time here than they save.
void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopInterleaving = tuning.LoopVectorization = false;
  tuning.SLPVectorization = tuning.LoopUnrolling = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

llvm::Error defineSymbols(llvm::orc::LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](const char *name, void *address) {
    symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  add("nvemu_access", reinterpret_cast<void *>(nvemu_access));
  add("nvemu_operate", reinterpret_cast<void *>(nvemu_operate));
  add("nvemu_special", reinterpret_cast<void *>(nvemu_special));
  add("nvemu_local_enter", reinterpret_cast<void *>(nvemu_local_enter));
  add("nvemu_local_leave", reinterpret_cast<void *>(nvemu_local_leave));
  add("nvemu_trap", reinterpret_cast<void *>(nvemu_trap));
  add("nvemu_exit", reinterpret_cast<void *>(nvemu_exit));
  add("nvemu_loop", reinterpret_cast<void *>(nvemu_loop));
  for (const Helper &helper : helpers())
    add(helper.name, helper.address);
  return jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols)));
}

/// The machine code of `unit`, and the kernels' addresses in its Code.
llvm::Error generate(Unit &unit, std::unique_ptr<llvm::LLVMContext> context, Loaded &loaded) {
  llvm::Expected<llvm::orc::JITTargetMachineBuilder> target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  target->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  target->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();
  unit.module->setTargetTriple((*machine)->getTargetTriple());
  unit.module->setDataLayout((*machine)->createDataLayout());
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*unit.module, &stream))
    return llvm::createStringError("nvemu made code that is not valid: " + broken);
  optimize(*unit.module, **machine);

  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(*target).create();
  if (!jit)
    return jit.takeError();
  loaded.jit = std::move(*jit);
  if (llvm::Error error = defineSymbols(*loaded.jit))
    return error;
  // memcpy and the like, that LLVM may make of loops.
  auto process =
      llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(loaded.jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  loaded.jit->getMainJITDylib().addGenerator(std::move(*process));
  if (llvm::Error error =
          loaded.jit->addIRModule(llvm::orc::ThreadSafeModule(std::move(unit.module), std::move(context))))
    return error;
  for (auto &[name, kernel] : unit.code.kernels) {
    auto address = loaded.jit->lookup("kernel." + name);
    if (!address)
      return address.takeError();
    kernel.code = address->toPtr<KernelCode>();
  }
  return llvm::Error::success();
}

} // namespace

std::unique_ptr<Code> compile(std::unique_ptr<ptx::Module> module, std::string &error) {
  static const bool isReady = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)isReady;
  if (module->addressBits != 64) {
    error = "line 1: nvemu has addresses of 64 bits alone";
    return nullptr;
  }
  auto code = std::make_unique<Code>();
  code->module = std::move(module);
  auto loaded = std::make_shared<Loaded>();
  Layout layout;
  if (!layOut(*code, layout, loaded->memory, error))
    return nullptr;
  auto context = std::make_unique<llvm::LLVMContext>();
  Unit unit(*code, layout, *context);
  if (!unit.translate()) {
    error = unit.error;
    return nullptr;
  }
  if (llvm::Error failed = generate(unit, std::move(context), *loaded)) {
    error = "line 1: " + llvm::toString(std::move(failed));
    return nullptr;
  }
  code->jit = std::move(loaded);
  return code;
}

} // namespace nvemu
