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
#include "Levels.h"
#include "WeightsOf.h"

#include "nax/Emit/Headers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Threading.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <optional>

using namespace llvm;
using namespace mlir;
using namespace nax;
using namespace nax::driver;

static constexpr StringLiteral stageAttrName = "nax.stage";
/// The CpuTarget that a module past stage fused was lowered for.
static constexpr StringLiteral levelAttrName = "nax.cpu";
/// Stages that every level has in common: those whose module has the axes.
static constexpr size_t commonStages = 2;

Compilation::Compilation(const Options &options, Timing &timing)
    : options(options), timing(timing) {
  CompileOptions compileOptions;
  compileOptions.gpuType = options.gpuType;
  compileOptions.weights = options.weights;
  if (!options.activations.empty())
    compileOptions.activations = options.activations;
  for (const std::string &cpu : chooseLevels(options)) {
    compileOptions.cpu = cpu;
    levels.push_back({compileOptions, pipelineStages(compileOptions), {}});
  }
  stages = levels.back().stages;
  gpu = gpuStages(compileOptions);
  DialectRegistry registry;
  registerPipelineDialects(registry);
  context.appendDialectRegistry(registry);
  context.printOpOnDiagnostic(options.verbose);
  handler = std::make_unique<SourceMgrDiagnosticHandler>(sources, &context,
                                                         llvm::errs());
  // Asked before the handler that prints, since it is registered later.
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    std::string text;
    raw_string_ostream(text) << diagnostic.getLocation() << diagnostic;
    if (inSeveralLevels && !shown.insert(text).second)
      return success();
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
  complained = true;
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
    if (any_of(gpu, [&](const Stage &known) {
          return known.name == stage.getValue();
        }))
      return fail(name + " is of stage " + stage.getValue() +
                  ", which is to be looked at: code for GPUs is made of a "
                  "model or of its first two stages");
    while (done < stages.size() && stages[done].name != stage.getValue())
      ++done;
    if (done == stages.size())
      return fail(name +
                  " is of a stage that is not known: " + stage.getValue());
    // The first stage proves what the others build on; it is done again, since
    // the module may have been edited.
    done = done ? done + 1 : 0;
  }
  if (options.nvptx && done > commonStages)
    return fail(name + " is past stage " + stages[1].name +
                ", where the form for GPUs begins: code for GPUs is made of a "
                "model or of its first two stages");
  if (options.nvptx && done == commonStages)
    gpuRoot = module().clone();
  if (options.storesWeights() && done > commonStages)
    return fail(name + " is past stage " + stages[1].name +
                ", where weights find their place: --weights and --weights-of "
                "are for a model or its first two stages");
  return readInfo(name) && resumeLevel(name) && markDecoded(name);
}

bool Compilation::resumeLevel(StringRef name) {
  if (done <= commonStages)
    return true;
  auto attr = module()->getAttrOfType<StringAttr>(levelAttrName);
  std::string cpu = attr ? attr.str() : "v3";
  bool isAsked = options.cpus.empty() ||
                 (levels.size() == 1 && levels.front().options.cpu == cpu);
  if (!isAsked)
    return fail(name + " is past stage " + stages[commonStages - 1].name +
                ", where CPU levels part: its own is " + cpu +
                ", which --cpu need not name");
  CompileOptions resumed = levels.back().options;
  resumed.cpu = cpu;
  levels.clear();
  levels.push_back({resumed, pipelineStages(resumed), module().clone()});
  stages = levels.back().stages;
  return true;
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

/// Runs in several threads at once.
size_t Compilation::lowerLevel(Level &level, size_t last) {
  bool isLast = &level == &levels.back();
  for (size_t index = done; index <= last; ++index) {
    const Stage &stage = level.stages[index];
    PassManager passes(&context);
    stage.build(passes);
    passes.enableVerifier(false); // nax-check-stage does it once
    std::optional<Timing::Scope> scope;
    if (levels.size() == 1)
      scope.emplace(timing, "stage " + stage.name);
    if (mlir::failed(passes.run(*level.root)))
      return index;
    scope.reset();
    (*level.root)
        ->setAttr(stageAttrName, StringAttr::get(&context, stage.name));
    if (isLast && !dump(*level.root, index + 1, stage.name))
      return index;
  }
  return last + 1;
}

/// A parameter that the file has in a type of its own is to be stored so.
bool Compilation::readWeightTypes() {
  if (options.weightsOf.empty() || module()->hasAttr("nax.weights"))
    return true;
  Expected<DictionaryAttr> types =
      weightsOf(modelInfo, options.weightsOf, &context);
  if (!types)
    return fail(toString(types.takeError()));
  module()->setAttr("nax.weights", *types);
  return true;
}

bool Compilation::lowerLevels(size_t last) {
  if (!readWeightTypes())
    return false;
  DialectRegistry needed;
  for (Level &level : levels) {
    if (!level.root) {
      level.root = module().clone();
      modelInfo.attach(*level.root);
      (*level.root)
          ->setAttr(levelAttrName,
                    StringAttr::get(&context, level.options.cpu));
    }
    for (const Stage &stage : level.stages) {
      PassManager passes(&context);
      stage.build(passes);
      passes.getDependentDialects(needed);
    }
  }
  // A context takes no dialect while several threads use it.
  context.appendDialectRegistry(needed);
  for (StringRef name : needed.getDialectNames())
    context.getOrLoadDialect(name);
  std::optional<Timing::Scope> scope;
  if (levels.size() > 1)
    scope.emplace(timing, "stages to " + stages[last].name);
  inSeveralLevels = levels.size() > 1;
  std::atomic<size_t> least = last + 1;
  parallelForEach(&context, levels, [&](Level &level) {
    if (size_t reached = lowerLevel(level, last); reached <= last)
      least = reached;
  });
  inSeveralLevels = false;
  if (least <= last)
    return fail("stage " + stages[least].name + " failed");
  done = last + 1;
  return true;
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
  (*gpuRoot)->setAttr(stageAttrName, StringAttr::get(&context, stage.name));
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
/// messages name. A module with GPU kernels has none there: behind an
/// nvvm.barrier a location does not parse again, and nothing resumes from it.
bool Compilation::dump(ModuleOp module, size_t number, StringRef stage) {
  if (options.dumpStages.empty())
    return true;
  if (Error error = makeFolders(options.dumpStages))
    return fail(toString(std::move(error)));
  std::string text;
  raw_string_ostream os(text);
  bool hasKernels = !module.getOps<gpu::GPUModuleOp>().empty();
  module.print(os, OpPrintingFlags().enableDebugInfo(!hasKernels));
  os << "\n";
  std::string path = options.dumpStages + "/" + std::to_string(number) + "-" +
                     stage.str() + ".mlir";
  Error error = refuseRead(options, "--dump-stages", path, modelInfo.params);
  if (!error)
    error = writeFile(path, text);
  return !error || fail(toString(std::move(error)));
}

bool Compilation::derive() { return done > 0 || runStage(0); }

bool Compilation::lowerTo(StringRef stage) {
  size_t last = 0;
  while (last < stages.size() && stages[last].name != stage)
    ++last;
  if (done > last + 1)
    return fail("the module is past stage " + stage + " already");
  while (done <= last && done < commonStages)
    if (!runStage(done))
      return false;
  return done > last || lowerLevels(last);
}

static std::string textOf(ModuleOp module) {
  std::string text;
  raw_string_ostream os(text);
  module.print(os);
  os << "\n";
  return text;
}

std::string Compilation::print() {
  return textOf(done > commonStages ? *levels.back().root : module());
}
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
  SmallVector<LevelModule> modules;
  for (Level &level : levels)
    modules.push_back({level.options.cpu, *level.root});
  if (mlir::failed(emitObject(modules, modelInfo, kind, os,
                              options.nvptx ? *gpuRoot : ModuleOp(),
                              &gpuModelInfo)))
    return fail("no code could be made");
  out.assign(bytes.begin(), bytes.end());
  return true;
}
