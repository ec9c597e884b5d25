//===- Pipeline.h - the stages from a model to machine code -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_PIPELINE_PIPELINE_H
#define NAX_PIPELINE_PIPELINE_H

#include "mlir/Pass/PassManager.h"

#include <functional>
#include <string>
#include <vector>

namespace nax {

struct CompileOptions {
  std::string cpu = "v3"; ///< the name of a CpuTarget
  /// What GPUs have for f32: f32, f16 or bf16, or tf32: f32 whose products are
  /// those of tensor cores.
  std::string gpuType = "f32";
  /// The WeightFormat that a CPU has matrices of f32 in; empty: f32.
  std::string weights;
  /// What quantised weights are multiplied with: int8 or f32.
  std::string activations = "int8";
};

/// A stretch of the pipeline after which the module may be looked at, dumped
/// and taken up again.
struct Stage {
  std::string name; ///< "nax", "fused", "linalg", "planned", "kernels", "llvm"
  std::function<void(mlir::OpPassManager &)> build;
};

/// All stages, first to last. The module of a stage is the input of the next.
std::vector<Stage> pipelineStages(const CompileOptions &options);

/// The stages from a module of stage `fused` to one that launches kernels,
/// beside those for the CPU: "gpu-linalg", "gpu-planned", "gpu-kernels",
/// "gpu-llvm".
std::vector<Stage> gpuStages(const CompileOptions &options);

/// All passes of all stages at once.
void buildPipeline(mlir::OpPassManager &pm, const CompileOptions &options);

/// Loads nax and every dialect that a stage may produce.
void registerPipelineDialects(mlir::DialectRegistry &registry);
/// Makes every pass of nax known by its flag.
void registerPipelinePasses();

} // namespace nax

#endif // NAX_PIPELINE_PIPELINE_H
