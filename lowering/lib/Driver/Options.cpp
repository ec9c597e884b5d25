//===- Options.cpp - naxc's command line ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "Files.h"
#include "Levels.h"

#include "nax/Conversion/WeightFormat.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cstdlib>
#include <optional>

using namespace llvm;
using namespace nax;
using namespace nax::driver;

namespace {

/// One option that takes a value, as --name=VALUE or --name VALUE.
struct ValueOption {
  StringRef name;
  function_ref<Error(StringRef)> set;
};

class Parser {
public:
  explicit Parser(ArrayRef<const char *> arguments) {
    for (const char *argument : arguments)
      words.push_back(argument);
  }

  Expected<Options> parse();

private:
  Error parseWord(StringRef word);
  Error parseValueOption(StringRef word, bool &known);
  Error parseCompilerFlag(StringRef word, bool &known);
  std::optional<StringRef> nextWord() {
    if (next == words.size())
      return std::nullopt;
    return words[next++];
  }

  std::vector<StringRef> words;
  size_t next = 0;
  Options options;
};

} // namespace

static Error setEmit(StringRef what, Options &options) {
  auto found =
      StringSwitch<std::optional<Emit>>(what)
          .Cases({"nax", "fused", "linalg", "planned", "kernels"}, Emit::Stage)
          .Cases({"gpu-linalg", "gpu-planned", "gpu-kernels", "gpu-llvm"},
                 Emit::GpuStage)
          .Case("ptx", Emit::Ptx)
          .Case("llvm", Emit::LlvmIr)
          .Case("asm", Emit::Asm)
          .Case("obj", Emit::Obj)
          .Default(std::nullopt);
  if (!found)
    return wrong("--emit takes nax, fused, linalg, planned, kernels, "
                 "gpu-linalg, gpu-planned, gpu-kernels, gpu-llvm, llvm, ptx, "
                 "asm or obj, not " +
                 what);
  options.emit = *found;
  options.nvptx |= *found == Emit::GpuStage || *found == Emit::Ptx;
  options.emitStage = what.str();
  return Error::success();
}

/// The CPU is always one: it checks, loads and launches.
static Error setTargets(StringRef text, bool &nvptx) {
  SmallVector<StringRef> names;
  text.split(names, ',');
  bool cpu = false;
  for (StringRef name : names) {
    if (name.trim() != "cpu" && name.trim() != "nvptx")
      return wrong("--targets takes cpu and nvptx, with a comma between, not " +
                   text);
    cpu |= name.trim() == "cpu";
    nvptx |= name.trim() == "nvptx";
  }
  if (!cpu)
    return wrong("--targets=" + text +
                 " lacks cpu, which is always one: it "
                 "checks, loads and launches; --targets=cpu,nvptx has both");
  return Error::success();
}

static Error setGpuType(StringRef type, std::string &out) {
  if (type != "f32" && type != "tf32" && type != "f16" && type != "bf16")
    return wrong("--gpu-type takes f32, tf32, f16 or bf16, not " + type);
  out = type.str();
  return Error::success();
}

static Error setWeights(StringRef type, std::string &out) {
  if (!WeightFormat::get(type))
    return wrong("--weights takes " + WeightFormat::names + ", not " + type);
  out = type.str();
  return Error::success();
}

static Error setActivations(StringRef type, std::string &out) {
  if (type != "int8" && type != "f32")
    return wrong("--activations takes int8 or f32, not " + type);
  out = type.str();
  return Error::success();
}

static Error setDevice(StringRef device, Options &options) {
  auto found = StringSwitch<std::optional<Device>>(device)
                   .Case("cpu", Device::Cpu)
                   .Case("emulated", Device::Emulated)
                   .Case("cuda", Device::Cuda)
                   .Default(std::nullopt);
  if (!found)
    return wrong("--device takes cpu, emulated or cuda, not " + device);
  options.device = *found;
  options.nvptx |= *found != Device::Cpu;
  return Error::success();
}

static Error addEntries(StringRef text, std::vector<std::string> &entries) {
  SmallVector<StringRef> names;
  text.split(names, ',');
  for (StringRef name : names) {
    if (name.trim().empty())
      return wrong("--decode takes ENTRY,..., not " + text);
    entries.push_back(name.trim().str());
  }
  return Error::success();
}

template <typename Integer>
static Error setNumber(StringRef option, StringRef text, Integer &out) {
  if (text.getAsInteger(10, out))
    return wrong(option + " takes a number, not " + text);
  return Error::success();
}

static Error addFile(StringRef option, StringRef text, Options::Files &files) {
  auto [name, file] = text.split('=');
  if (name.empty() || file.empty())
    return wrong(option + " takes NAME=FILE.npy, not " + text);
  for (auto &[known, unused] : files)
    if (known == name)
      return wrong(option + " names " + name + " twice");
  files.emplace_back(name.str(), file.str());
  return Error::success();
}

static Error addSize(StringRef text, Options &options) {
  auto [axis, size] = text.split('=');
  int64_t number = 0;
  if (axis.empty() || size.getAsInteger(10, number) || number < 0)
    return wrong("--size takes AXIS=NUMBER, not " + text);
  options.sizes.emplace_back(axis.str(), number);
  return Error::success();
}

/// NAME[i,j,...]=VALUE
static Error addChange(StringRef text, Options &options) {
  auto [place, value] = text.split("]=");
  auto [name, indices] = place.split('[');
  TokenChange change;
  change.buffer = name.str();
  SmallVector<StringRef> pieces;
  indices.split(pieces, ',', -1, /*KeepEmpty=*/false);
  bool good =
      !name.empty() && !pieces.empty() && !value.getAsInteger(10, change.value);
  for (StringRef piece : pieces) {
    int64_t index = 0;
    good &= !piece.trim().getAsInteger(10, index) && index >= 0;
    change.index.push_back(index);
  }
  if (!good)
    return wrong("--set takes NAME[INDEX,...]=NUMBER, not " + text);
  options.changes.push_back(std::move(change));
  return Error::success();
}

Error Parser::parseValueOption(StringRef word, bool &known) {
  auto text = [](std::string &out) {
    return [&out](StringRef value) {
      out = value.str();
      return Error::success();
    };
  };
  auto setOutput = text(options.output), setDump = text(options.dumpStages),
       setCxx = text(options.cxx), setParams = text(options.params),
       setEntry = text(options.entry), setSave = text(options.save),
       setWeightsOf = text(options.weightsOf);
  auto emit = [&](StringRef v) { return setEmit(v, options); };
  auto cpu = [&](StringRef v) { return parseLevels(v).moveInto(options.cpus); };
  auto decode = [&](StringRef v) { return addEntries(v, options.decode); };
  auto targets = [&](StringRef v) { return setTargets(v, options.nvptx); };
  auto gpuType = [&](StringRef v) { return setGpuType(v, options.gpuType); };
  auto weights = [&](StringRef v) { return setWeights(v, options.weights); };
  auto activations = [&](StringRef v) {
    return setActivations(v, options.activations);
  };
  auto device = [&](StringRef v) { return setDevice(v, options); };
  auto in = [&](StringRef v) { return addFile("--in", v, options.in); };
  auto out = [&](StringRef v) { return addFile("--out", v, options.out); };
  auto threads = [&](StringRef v) {
    return setNumber("--threads", v, options.threads);
  };
  auto traceLimit = [&](StringRef v) {
    return setNumber("--trace-limit", v, options.traceLimit);
  };
  auto seed = [&](StringRef v) { return setNumber("--seed", v, options.seed); };
  auto size = [&](StringRef v) { return addSize(v, options); };
  auto change = [&](StringRef v) { return addChange(v, options); };
  const ValueOption table[] = {{"-o", setOutput},
                               {"--emit", emit},
                               {"--dump-stages", setDump},
                               {"--cpu", cpu},
                               {"--decode", decode},
                               {"--targets", targets},
                               {"--gpu-type", gpuType},
                               {"--weights", weights},
                               {"--weights-of", setWeightsOf},
                               {"--activations", activations},
                               {"--device", device},
                               {"--cxx", setCxx},
                               {"--params", setParams},
                               {"--in", in},
                               {"--out", out},
                               {"--entry", setEntry},
                               {"--threads", threads},
                               {"--size", size},
                               {"--set", change},
                               {"--seed", seed},
                               {"--save", setSave},
                               {"--trace-limit", traceLimit}};

  auto [name, value] = word.split('=');
  for (const ValueOption &option : table) {
    if (name != option.name)
      continue;
    known = true;
    if (!word.contains('='))
      value = nextWord().value_or("");
    // --decode --emit=nax: the value was forgotten.
    if (!word.contains('=') && value.starts_with("--"))
      value = "";
    return value.empty() ? wrong(name + " lacks its value") : option.set(value);
  }
  return Error::success();
}

Error Parser::parseCompilerFlag(StringRef word, bool &known) {
  // -I DIR and -IDIR, but -isystem DIR only.
  for (StringRef flag : {"-I", "-D", "-U", "-isystem", "-include"}) {
    bool joined = flag.size() == 2 && word.starts_with(flag);
    if (word != flag && !joined)
      continue;
    known = true;
    options.cxxFlags.push_back(word.str());
    if (word != flag)
      return Error::success();
    StringRef value = nextWord().value_or("");
    options.cxxFlags.push_back(value.str());
    return value.empty() ? wrong(flag + " lacks its value") : Error::success();
  }
  if (word.starts_with("-std=")) {
    known = true;
    options.cxxFlags.push_back(word.str());
  }
  return Error::success();
}

Error Parser::parseWord(StringRef word) {
  if (word == "--help" || word == "-h") {
    options.command = Command::Help;
    return Error::success();
  }
  if (word == "--version") {
    options.command = Command::Version;
    return Error::success();
  }
  if (word == "--verbose" || word == "-v") {
    options.verbose = true;
    return Error::success();
  }
  if (word == "--timing") {
    options.timing = true;
    return Error::success();
  }
  if (word == "--") {
    while (std::optional<StringRef> rest = nextWord())
      options.cxxFlags.push_back(rest->str());
    return Error::success();
  }
  if (!word.starts_with("-")) {
    options.inputs.push_back(word.str());
    return Error::success();
  }
  bool known = false;
  if (Error error = parseValueOption(word, known))
    return error;
  if (known)
    return Error::success();
  if (Error error = parseCompilerFlag(word, known))
    return error;
  if (known)
    return Error::success();
  return wrong("there is no option " + word + "; naxc --help lists them");
}

Expected<Options> Parser::parse() {
  if (const char *cxx = getenv("NAX_CXX"); cxx && *cxx)
    options.cxx = cxx;
  std::optional<Command> command =
      StringSwitch<std::optional<Command>>(words.empty() ? "" : words[0])
          .Case("run", Command::Run)
          .Case("check", Command::Check)
          .Case("pack", Command::Pack)
          .Case("explain", Command::Explain)
          .Default(std::nullopt);
  if (command) {
    options.command = *command;
    next = 1;
  }
  while (std::optional<StringRef> word = nextWord())
    if (Error error = parseWord(*word))
      return error;
  // MODEL.cpp... WEIGHTS
  if (options.command == Command::Pack && !options.params.empty())
    return wrong("--params is not for naxc pack: the file of the parameters "
                 "comes last, without an option");
  if (options.command == Command::Pack && options.inputs.size() > 1) {
    options.params = options.inputs.back();
    options.inputs.pop_back();
  }
  if (Error error = checkTogether(options))
    return error;
  return options;
}

Expected<Options> nax::driver::parseOptions(ArrayRef<const char *> arguments) {
  return Parser(arguments).parse();
}
