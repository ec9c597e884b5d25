//===- Object.cpp - from the LLVM dialect to files ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Emit/Object.h"

#include "Abi.h"

#include "nax/Conversion/CpuTarget.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;

namespace nax {

static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(ModuleOp module, const CpuTarget &target) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend) {
    module.emitError() << "no code generator: " << error;
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, target.llvmCpu, /*Features=*/"", llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

static void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

/// LLVM IR with the functions of the headers. Null: reported on the module.
static std::unique_ptr<llvm::Module> translate(ModuleOp module,
                                               const ModelInfo &info,
                                               const CpuTarget &target,
                                               llvm::LLVMContext &context) {
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, context, info.name);
  if (!code) {
    module.emitError() << "could not be translated to LLVM IR";
    return nullptr;
  }
  auto list = [&](StringRef name) {
    auto attr = module->getAttrOfType<ArrayAttr>(name);
    return attr ? attr : ArrayAttr::get(module.getContext(), {});
  };
  auto bytes = module->getAttrOfType<IntegerAttr>("nax.block_bytes");
  CudaCode cuda{list("nax.images"), list("nax.kernels")};
  emitAbi(*code, info, list("nax.slots"), bytes ? bytes.getInt() : 0,
          target.level, module->hasAttr("nax.images") ? &cuda : nullptr);
  return code;
}

LogicalResult emitObject(ModuleOp module, const ModelInfo &info,
                         const CompileOptions &options, FileKind kind,
                         llvm::raw_pwrite_stream &os, ModuleOp cudaModule,
                         const ModelInfo *cudaInfo) {
  std::optional<CpuTarget> target = CpuTarget::get(options.cpu);
  if (!target)
    return module.emitError()
           << "unknown CPU level '" << options.cpu << "'; v3 or v4";
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code =
      translate(module, info, *target, context);
  if (!code)
    return failure();
  if (cudaModule) {
    std::unique_ptr<llvm::Module> cuda =
        translate(cudaModule, *cudaInfo, *target, context);
    if (!cuda)
      return failure();
    if (llvm::Linker::linkModules(*code, std::move(cuda)))
      return module.emitError() << "could not be joined with its form for GPUs";
  }

  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(module, *target);
  if (!machine)
    return failure();
  code->setDataLayout(machine->createDataLayout());
  code->setTargetTriple(machine->getTargetTriple());
  std::string trouble;
  llvm::raw_string_ostream troubleStream(trouble);
  if (llvm::verifyModule(*code, &troubleStream))
    return module.emitError() << "gives malformed LLVM IR: " << trouble;
  optimise(*code, *machine);

  if (kind == FileKind::LLVMIR) {
    code->print(os, nullptr);
    return success();
  }
  llvm::legacy::PassManager emit;
  auto type = kind == FileKind::Object ? llvm::CodeGenFileType::ObjectFile
                                       : llvm::CodeGenFileType::AssemblyFile;
  if (machine->addPassesToEmitFile(emit, os, nullptr, type))
    return module.emitError() << "the code generator can't write this file";
  emit.run(*code);
  return success();
}

} // namespace nax
