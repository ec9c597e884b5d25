//===- CodeGen.cpp - from LLVM IR to machine code or PTX ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/CodeGen/CodeGen.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace nax {

std::string optimise(llvm::Module &code, llvm::TargetMachine &machine,
                     bool packsScalars) {
  code.setDataLayout(machine.createDataLayout());
  code.setTargetTriple(machine.getTargetTriple());
  std::string trouble;
  llvm::raw_string_ostream troubleStream(trouble);
  if (llvm::verifyModule(code, &troubleStream))
    return "gives malformed LLVM IR: " + trouble;

  llvm::PipelineTuningOptions tuning;
  tuning.SLPVectorization = packsScalars;
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
      .run(code, modules);
  return "";
}

std::string writeCode(llvm::Module &code, llvm::TargetMachine &machine,
                      llvm::CodeGenFileType type, llvm::raw_pwrite_stream &os) {
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr, type))
    return "the code generator can't write this file";
  passes.run(code);
  return "";
}

} // namespace nax
