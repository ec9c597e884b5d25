//===- Ptx.cpp - from a gpu.module to PTX ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Ptx/Ptx.h"

#include "nax/CodeGen/CodeGen.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

namespace nax {

void registerPtxTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

/// From gpu.func to llvm.func. Order: nvgpu before vector and memref, since it
/// makes both; math before gpu, which would make calls of libdevice of what is
/// left of it.
static void buildPtxPipeline(OpPassManager &pm) {
  pm.addPass(createConvertNVGPUToNVVMPass());
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertNVVMToLLVMPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createConvertMathToLLVMPass());
  ConvertGpuOpsToNVVMOpsOptions toNvvm;
  toNvvm.indexBitwidth = 64;
  toNvvm.useBarePtrCallConv = true;
  kernels.addPass(createConvertGpuOpsToNVVMOps(toNvvm));
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  LLVM::DIScopeForLLVMFuncOpPassOptions lines;
  lines.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(lines));
}

/// The module in the LLVM dialect, in a module of its own.
static OwningOpRef<ModuleOp> lower(gpu::GPUModuleOp module) {
  OwningOpRef<ModuleOp> own(ModuleOp::create(module.getLoc()));
  (*own)->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(module.getContext()));
  own->getBody()->push_back(module->clone());
  PassManager pm(module.getContext());
  buildPtxPipeline(pm);
  if (failed(pm.run(*own)))
    return {};
  return own;
}

//===----------------------------------------------------------------------===//
// The code generator
//===----------------------------------------------------------------------===//

/// The least version of PTX that a chip is in; for another pair LLVM ends the
/// process. (PTX ISA, "Release Notes".)
static unsigned leastPtx(StringRef chip) {
  return llvm::StringSwitch<unsigned>(chip)
      .Case("sm_80", 70)
      .Case("sm_86", 71)
      .Case("sm_87", 74)
      .Cases({"sm_89", "sm_90"}, 78)
      .Case("sm_90a", 80)
      .Cases({"sm_100", "sm_100a"}, 86)
      .Cases({"sm_120", "sm_120a"}, 87)
      .Default(0);
}

static LogicalResult check(gpu::GPUModuleOp module, const PtxOptions &options,
                           const llvm::MCSubtargetInfo &info) {
  unsigned least = leastPtx(options.chip);
  if (least == 0 || !info.isCPUStringValid(options.chip))
    return module.emitError() << "no PTX for the chip '" << options.chip
                              << "'; sm_80, sm_86, sm_87, sm_89, sm_90, "
                                 "sm_90a, sm_100, sm_100a, sm_120 or sm_120a";
  StringRef features = options.features;
  unsigned version;
  bool isKnown = features.consume_front("+ptx") &&
                 !features.getAsInteger(10, version) &&
                 llvm::any_of(info.getAllProcessorFeatures(), [&](auto &f) {
                   return "+" + StringRef(f.Key).str() == options.features;
                 });
  if (!isKnown)
    return module.emitError() << "expects a version of PTX such as +ptx80, "
                              << "but got '" << options.features << "'";
  if (version < least)
    return module.emitError()
           << options.chip << " is in PTX since version " << least
           << " (in tenths), but got '" << options.features << "'";
  return success();
}

static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(gpu::GPUModuleOp module, const PtxOptions &options) {
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  // Addresses of shared memory then need one register each instead of two.
  auto &known = llvm::cl::getRegisteredOptions();
  if (auto found = known.find("nvptx-short-ptr"); found != known.end())
    static_cast<llvm::cl::opt<bool> *>(found->second)->setValue(true);

  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend) {
    module.emitError() << "LLVM was built without NVPTX: " << error;
    return nullptr;
  }
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      backend->createMCSubtargetInfo(triple, /*CPU=*/"", /*Features=*/""));
  if (failed(check(module, options, *info)))
    return nullptr;
  llvm::TargetOptions target;
  // Only what is written as a fused multiplication becomes one.
  target.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, options.chip, options.features, target, std::nullopt,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

FailureOr<std::string> emitPtx(gpu::GPUModuleOp module,
                               const PtxOptions &options) {
  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(module, options);
  if (!machine)
    return failure();
  OwningOpRef<ModuleOp> lowered = lower(module);
  if (!lowered)
    return failure();
  llvm::LLVMContext context;
  Operation *kernels = &lowered->getBody()->front();
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(kernels, context, module.getName());
  if (!code)
    return module.emitError("could not be translated to LLVM IR");
  std::string trouble = optimise(*code, *machine, /*packsScalars=*/false);
  if (!trouble.empty())
    return module.emitError() << trouble;
  std::string unknown = findUnknownToPtx(*code);
  if (!unknown.empty())
    return module.emitError() << "has no PTX: it " << unknown;

  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  trouble = writeCode(*code, *machine, llvm::CodeGenFileType::AssemblyFile, os);
  if (!trouble.empty())
    return module.emitError() << trouble;
  return std::string(text);
}

} // namespace nax
