//===- Compilation.cpp - a module on its way to an object -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The module carries its stage with it, and below the nax level its interface
// too, so that any dumped stage is a whole input again.
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"

#include "Files.h"

#include "nax/Emit/Headers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace mlir;
using namespace nax;
using namespace nax::driver;

static constexpr StringLiteral stageAttrName = "nax.stage";
/// The first stage whose module has lost the axes.
static constexpr StringLiteral firstLoweredStage = "linalg";

/// What this machine can run; below AVX2 there is nothing to choose.
static std::string nativeCpu() {
  StringMap<bool> features = sys::getHostCPUFeatures();
  for (StringRef needed :
       {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"})
    if (!features.lookup(needed))
      return "v3";
  return "v4";
}

Compilation::Compilation(const Options &options, Timing &timing)
    : options(options), timing(timing) {
  compileOptions.cpu = options.cpu == "native" ? nativeCpu() : options.cpu;
  compileOptions.gpuType = options.gpuType;
  stages = pipelineStages(compileOptions);
  gpu = gpuStages(compileOptions);
  DialectRegistry registry;
  registerPipelineDialects(registry);
  context.appendDialectRegistry(registry);
  context.printOpOnDiagnostic(options.verbose);
  handler = std::make_unique<SourceMgrDiagnosticHandler>(sources, &context,
                                                         llvm::errs());
  // Asked before the handler that prints, since it is registered later.
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) {
      complained = true;
      errors += diagnostic.str();
    }
    return success(showLine(diagnostic));
  });
}

/// Of a model in C++, messages look as those of the compilers do.
bool Compilation::showLine(const Diagnostic &diagnostic) {
  auto at = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
  if (!at || options.isMlir())
    return false;
  Place place{at.getFilename().str(), at.getLine(), at.getColumn()};
  std::string shown = userText.show(place);
  if (shown.empty())
    return false;
  bool error = diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
  if (!error && diagnostic.getSeverity() != mlir::DiagnosticSeverity::Note)
    return false;
  errs() << place.file << ":" << place.line << ":" << place.column << ": "
         << (error ? "error: " : "note: ") << diagnostic.str() << "\n"
         << shown;
  for (const Diagnostic &note : diagnostic.getNotes())
    if (!showLine(note))
      errs() << "note: " << note.str() << "\n";
  return true;
}

Compilation::~Compilation() = default;

bool Compilation::fail(const Twine &words) {
  if (!complained)
    errs() << "naxc: error: " << words << "\n";
  return false;
}

bool Compilation::isNaxLevel() const {
  return !root.get()->hasAttr("nax.interface");
}

bool Compilation::load(std::string text, StringRef name) {
  Timing::Scope scope(timing, "parsing");
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(text, name),
                             SMLoc());
  root = parseSourceFile<ModuleOp>(sources, &context);
  if (!root)
    return fail(name + " is no module that can be read");

  if (auto stage = module()->getAttrOfType<StringAttr>(stageAttrName)) {
    while (done < stages.size() && stages[done].name != stage.getValue())
      ++done;
    if (done == stages.size())
      return fail(name +
                  " is of a stage that is not known: " + stage.getValue());
    // The first stage proves what the others build on; it is done again, since
    // the module may have been edited.
    done = done ? done + 1 : 0;
  }
  if (options.nvptx && done > 1)
    return fail(name + " is past stage " + stages[1].name +
                ", where the form for GPUs begins: code for GPUs is made of a "
                "model or of its first two stages");
  if (options.nvptx && done == 2)
    gpuRoot = module().clone();
  return readInfo(name) && markDecoded(name);
}

bool Compilation::readInfo(StringRef name) {
  FailureOr<ModelInfo> info = ModelInfo::get(module());
  if (failed(info) || failed(verifyCSymbols(*info, module(), options.nvptx)))
    return fail(name + " is no model");
  modelInfo = std::move(*info);
  DType memory = options.gpuType == "f16"    ? DType::F16
                 : options.gpuType == "bf16" ? DType::BF16
                                             : DType::F32;
  gpuModelInfo = modelInfo.withMemoryType(memory);
  return true;
}

bool Compilation::markDecoded(StringRef name) {
  if (!options.decode.empty() && done > 0)
    return fail(name + " is past stage " + stages[0].name +
                ", where steps are derived: --decode is for a model or its "
                "first stage");
  for (StringRef entry : options.decode) {
    auto func = module().lookupSymbol<func::FuncOp>(entry);
    if (!modelInfo.findEntry(entry) || !func) {
      std::vector<std::string> names;
      for (const ModelEntry &known : modelInfo.entries)
        names.push_back(known.name);
      return fail("--decode: model " + modelInfo.name + " has no entry " +
                  entry + ", only " + join(names, ", "));
    }
    func->setAttr("nax.decode", UnitAttr::get(&context));
  }
  return true;
}

bool Compilation::runStage(size_t index) {
  const Stage &stage = stages[index];
  if (stage.name == firstLoweredStage)
    modelInfo.attach(module());
  PassManager passes(&context);
  stage.build(passes);
  {
    Timing::Scope scope(timing, "stage " + stage.name);
    if (mlir::failed(passes.run(module())))
      return fail("stage " + stage.name + " failed");
  }
  module()->setAttr(stageAttrName, StringAttr::get(&context, stage.name));
  done = index + 1;
  // The first stage derives entries that the model as written has not.
  if (index == 0 && !readInfo("stage " + stage.name))
    return false;
  // Before the next stage puts axes into layouts of the CPU.
  if (options.nvptx && index == 1)
    gpuRoot = module().clone();
  return dump(module(), index + 1, stage.name);
}

bool Compilation::runGpuStage(size_t index) {
  const Stage &stage = gpu[index];
  if (index == 0)
    modelInfo.attach(*gpuRoot);
  PassManager passes(&context);
  stage.build(passes);
  {
    Timing::Scope scope(timing, "stage " + stage.name);
    if (mlir::failed(passes.run(*gpuRoot)))
      return fail("stage " + stage.name + " failed");
  }
  gpuDone = index + 1;
  return dump(*gpuRoot, index + 3, stage.name);
}

bool Compilation::lowerGpuTo(StringRef stage) {
  if (!gpuRoot && !lowerTo("fused"))
    return false;
  while (gpuDone < gpu.size()) {
    if (!runGpuStage(gpuDone))
      return false;
    if (gpu[gpuDone - 1].name == stage)
      return true;
  }
  return true;
}

/// DIR/1-nax.mlir and so on, with locations: they are what a resumed module's
/// messages name.
bool Compilation::dump(ModuleOp module, size_t number, StringRef stage) {
  if (options.dumpStages.empty())
    return true;
  if (Error error = makeFolders(options.dumpStages))
    return fail(toString(std::move(error)));
  std::string text;
  raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().enableDebugInfo(true));
  os << "\n";
  std::string path = options.dumpStages + "/" + std::to_string(number) + "-" +
                     stage.str() + ".mlir";
  if (Error error = writeFile(path, text))
    return fail(toString(std::move(error)));
  return true;
}

bool Compilation::derive() { return done > 0 || runStage(0); }

bool Compilation::lowerTo(StringRef stage) {
  size_t last = 0;
  while (last < stages.size() && stages[last].name != stage)
    ++last;
  if (done > last + 1)
    return fail("the module is past stage " + stage + " already");
  while (done <= last)
    if (!runStage(done))
      return false;
  return true;
}

static std::string textOf(ModuleOp module) {
  std::string text;
  raw_string_ostream os(text);
  module.print(os);
  os << "\n";
  return text;
}

std::string Compilation::print() { return textOf(module()); }
std::string Compilation::printGpu() { return textOf(*gpuRoot); }

std::string Compilation::ptx() {
  std::string text;
  for (auto kernels : (*gpuRoot).getOps<gpu::GPUModuleOp>())
    if (auto ptx = kernels->getAttrOfType<StringAttr>("nax.ptx"))
      text += ptx.getValue();
  return text;
}

bool Compilation::emit(FileKind kind, std::string &out) {
  if (options.nvptx && !lowerGpuTo("gpu-llvm"))
    return false;
  Timing::Scope scope(timing, kind == FileKind::Object     ? "object"
                              : kind == FileKind::Assembly ? "assembly"
                                                           : "LLVM IR");
  SmallVector<char, 0> bytes;
  raw_svector_ostream os(bytes);
  if (mlir::failed(emitObject(module(), modelInfo, compileOptions, kind, os,
                              options.nvptx ? *gpuRoot : ModuleOp(),
                              &gpuModelInfo)))
    return fail("no code could be made");
  out.assign(bytes.begin(), bytes.end());
  return true;
}
