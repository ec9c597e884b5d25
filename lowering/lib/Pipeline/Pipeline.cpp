//===- Pipeline.cpp - the stages from a model to machine code -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Read from top to bottom: this is what naxc does.
//
//===----------------------------------------------------------------------===//

#include "nax/Pipeline/Pipeline.h"

#include "nax/Conversion/CpuTarget.h"
#include "nax/Conversion/ExpandKernels.h"
#include "nax/Conversion/GpuKernels.h"
#include "nax/Conversion/LaunchToLLVM.h"
#include "nax/Conversion/Passes.h"
#include "nax/Dialect/Nax/IR/Nax.h"
#include "nax/Dialect/Nax/Transforms/Passes.h"
#include "nax/Ptx/Ptx.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace nax {

/// The model as written, proved causal.
static void populateNax(OpPassManager &pm) {
  pm.addPass(createCheckAttention());
  pm.addPass(createCheckCausality());
  // Of what is proved causal; later passes take the step as they take an entry.
  pm.addPass(createDeriveDecode());
  pm.addPass(createCSEPass());
  // Bodies of repeated blocks that no call reaches any more.
  pm.addPass(createSymbolDCEPass());
}

/// Attention is one operation; no scores and no weights are left on the way.
static void populateFused(OpPassManager &pm) {
  pm.addPass(createFuseAttention());
  pm.addPass(createCSEPass());
}

/// Everything is in memory: loops of linalg beside nax.kernel.*.
static void populateLinalg(OpPassManager &pm, const CompileOptions &options) {
  NaxToLinalgOptions toLinalg;
  toLinalg.cpu = options.cpu;
  toLinalg.weights = options.weights;
  toLinalg.activations = options.activations;
  pm.addPass(createNaxToLinalg(toLinalg));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // After CSE, because a second loop that is the same would be another reader.
  pm.addPass(createFuseEpilogues());
  pm.addPass(createCheckBuffers());
}

/// Every buffer is a view of the workspace. After CSE, because two buffers of
/// one size are recognised by their sizes being one value.
static void populatePlanned(OpPassManager &pm, bool onThreads) {
  pm.addPass(createShareBuffers());
  if (onThreads)
    pm.addPass(createFormPhases());
  pm.addPass(createPlanMemory());
  pm.addPass(createCSEPass());
}

/// Loops and vectors; linalg and nax.kernel.* are gone.
static void populateKernels(OpPassManager &pm, const CompileOptions &options) {
  ExpandKernelsOptions expand;
  expand.cpu = options.cpu;
  pm.addPass(createExpandKernels(expand));
  pm.addPass(createFuseParallel());
  pm.addPass(createConvertLinalgToLoopsPass());
  std::optional<CpuTarget> cpu = CpuTarget::get(options.cpu);
  if (cpu && !cpu->hasFma)
    pm.addPass(createSplitFma());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
}

/// The LLVM dialect; parallel regions are functions.
static void populateLLVM(OpPassManager &pm, bool hasF16) {
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  // Only f64 reaches libm: the angles of rope, and models of f64.
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  // Without it, and without Bf16Bits below, LLVM calls a function of
  // compiler-rt to round to bf16, which the C library of the linking program
  // need not have.
  arith::ArithExpandOpsPassOptions expandArith;
  expandArith.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expandArith));
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createOutlineParallel());
  pm.addPass(createBf16Bits());
  if (!hasF16)
    pm.addPass(createF16Bits());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
}

/// Matrices as kernels for GPUs read them.
static void populateGpuLinalg(OpPassManager &pm,
                              const CompileOptions &options) {
  NaxToLinalgOptions toLinalg;
  toLinalg.target = "gpu";
  toLinalg.type = options.gpuType == "tf32" ? "f32" : options.gpuType;
  pm.addPass(createNaxToLinalg(toLinalg));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createFuseEpilogues());
}

/// Launches, and a gpu.module whose PTX is there.
static void populateGpuKernels(OpPassManager &pm,
                               const CompileOptions &options) {
  GpuKernelsOptions kernels;
  kernels.tf32 = options.gpuType == "tf32";
  pm.addPass(createGpuKernels(kernels));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createGpuToPtx());
}

/// What runs on the host has no arithmetic of f16.
static void populateGpuLLVM(OpPassManager &pm) {
  pm.addPass(createLaunchToLLVM());
  populateLLVM(pm, /*hasF16=*/true);
}

/// Each ends with a look at what is left.
static std::vector<Stage> checked(std::vector<Stage> stages) {
  for (Stage &stage : stages)
    stage.build = [name = stage.name, build = stage.build](OpPassManager &pm) {
      build(pm);
      pm.addPass(createCheckStage({name}));
    };
  return stages;
}

static bool hasF16(const CompileOptions &options) {
  std::optional<CpuTarget> cpu = CpuTarget::get(options.cpu);
  return !cpu || cpu->hasF16;
}

std::vector<Stage> pipelineStages(const CompileOptions &options) {
  return checked({
      {"nax", populateNax},
      {"fused", populateFused},
      {"linalg", [=](OpPassManager &pm) { populateLinalg(pm, options); }},
      {"planned", [](OpPassManager &pm) { populatePlanned(pm, true); }},
      {"kernels", [=](OpPassManager &pm) { populateKernels(pm, options); }},
      {"llvm", [=](OpPassManager &pm) { populateLLVM(pm, hasF16(options)); }},
  });
}

std::vector<Stage> gpuStages(const CompileOptions &options) {
  return checked({
      {"gpu-linalg",
       [=](OpPassManager &pm) { populateGpuLinalg(pm, options); }},
      {"gpu-planned", [](OpPassManager &pm) { populatePlanned(pm, false); }},
      {"gpu-kernels",
       [=](OpPassManager &pm) { populateGpuKernels(pm, options); }},
      {"gpu-llvm", populateGpuLLVM},
  });
}

void buildPipeline(OpPassManager &pm, const CompileOptions &options) {
  for (const Stage &stage : pipelineStages(options))
    stage.build(pm);
}

void registerPipelineDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<NaxDialect>();
}

void registerPipelinePasses() {
  registerNaxTransformsPasses();
  registerNaxConversionPasses();
  registerNaxExpandKernelsPasses();
  registerNaxGpuKernelsPasses();
  registerNaxLaunchToLLVMPasses();
  registerNaxPtxPasses();
}

} // namespace nax
