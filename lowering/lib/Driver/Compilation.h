//===- Compilation.h - a module on its way to an object -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_COMPILATION_H
#define NAX_LIB_DRIVER_COMPILATION_H

#include "Options.h"
#include "SourceText.h"
#include "Timing.h"

#include "nax/Emit/ModelInfo.h"
#include "nax/Emit/Object.h"
#include "nax/Pipeline/Pipeline.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>

namespace mlir {
class SourceMgrDiagnosticHandler;
}

namespace nax::driver {

/// Every function that can fail has said why on stderr when it gives false.
class Compilation {
public:
  Compilation(const Options &options, Timing &timing);
  ~Compilation();

  /// Parses and verifies a module of any stage; `name` is what messages call
  /// it.
  bool load(std::string text, llvm::StringRef name);

  /// Runs the first stage, unless the module has it behind it: from then on
  /// info() has the derived entries too, and stays where it is.
  bool derive();
  /// Runs the stages up to this one, those that the module has behind it
  /// already excepted.
  bool lowerTo(llvm::StringRef stage);

  /// The module as text, without locations.
  std::string print();
  /// Of the last stage: machine code, assembly or LLVM IR.
  bool emit(FileKind kind, std::string &out);

  mlir::ModuleOp module() { return *root; }
  const ModelInfo &info() const { return modelInfo; }
  /// The form for GPUs, lowered up to this stage of gpuStages(); the module has
  /// to be past stage fused.
  bool lowerGpuTo(llvm::StringRef stage);
  std::string printGpu();
  /// Of stage gpu-kernels.
  std::string ptx();
  /// Null: only for the CPU.
  const ModelInfo *gpuInfo() const {
    return options.nvptx ? &gpuModelInfo : nullptr;
  }
  /// The texts of all errors so far.
  llvm::StringRef said() const { return errors; }
  /// Whether the module still has the model's operations.
  bool isNaxLevel() const;

private:
  /// The module as one CPU level has it, from stage fused on.
  struct Level {
    CompileOptions options;
    std::vector<Stage> stages; ///< all, those of the common module too
    mlir::OwningOpRef<mlir::ModuleOp> root; ///< null: not yet begun
  };

  /// Reads `modelInfo` off the module.
  bool readInfo(llvm::StringRef name);
  /// --decode: marks the entries as NAX_DECODE does.
  bool markDecoded(llvm::StringRef name);
  /// The level that a module past stage fused was lowered for.
  bool resumeLevel(llvm::StringRef name);
  bool runStage(size_t index);
  bool readWeightTypes();
  bool lowerLevels(size_t last);
  /// How many stages are behind it then.
  size_t lowerLevel(Level &level, size_t last);
  bool dump(mlir::ModuleOp module, size_t number, llvm::StringRef stage);
  bool runGpuStage(size_t index);
  bool fail(const llvm::Twine &words);
  /// Prints a message with the line of C++ that it is about; false if there is
  /// none.
  bool showLine(const mlir::Diagnostic &diagnostic);

  const Options &options;
  Timing &timing;
  std::vector<Stage> stages; ///< the last one's
  size_t done = 0; ///< how many stages are behind the module, or its levels
  std::vector<Stage> gpu;
  size_t gpuDone = 0;

  mlir::MLIRContext context;
  llvm::SourceMgr sources;
  std::unique_ptr<mlir::SourceMgrDiagnosticHandler> handler;
  SourceText userText;
  bool complained = false;
  std::string errors;
  /// What several levels say is printed once.
  bool inSeveralLevels = false;
  llvm::StringSet<> shown;
  mlir::OwningOpRef<mlir::ModuleOp> root;
  std::vector<Level> levels; ///< from the least to the best
  ModelInfo modelInfo, gpuModelInfo;
  mlir::OwningOpRef<mlir::ModuleOp> gpuRoot; ///< from stage fused on
};

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_COMPILATION_H
