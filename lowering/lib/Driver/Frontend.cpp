//===- Frontend.cpp - from C++ files to a module of the nax dialect -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A model is C++, so tracing it means running a program that its author wrote.
// That program gets a minute, a few gigabytes and a process group of its own,
// and what it prints never mixes with what naxc writes.
//
//===----------------------------------------------------------------------===//

#include "Frontend.h"

#include "Diagnostics.h"
#include "Explain.h"
#include "Process.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace nax::driver;

static constexpr Limits compilerLimits = {/*seconds=*/600, /*bytes=*/0};
/// Of a model's own code, which only writes down what it is asked for.
static constexpr int64_t generatorBytes = int64_t(4) << 30;

namespace {

class Tracer {
public:
  Tracer(const Options &options, const Installation &installation,
         TempDir &folder, Timing &timing)
      : options(options), installation(installation), folder(folder),
        timing(timing), cxx(findCompiler(options.cxx)) {}

  std::optional<std::string> trace();

private:
  bool compile(size_t index);
  bool link();
  std::optional<std::string> generate();
  ProcessResult run(std::vector<std::string> argv, const Limits &limits,
                    bool merged);
  void complain(const Twine &words) {
    errs() << "naxc: error: " << words << "\n";
  }
  std::string objectOf(size_t index) {
    return folder.file("model" + std::to_string(index) + ".o");
  }
  std::string model() { return join(options.inputs, ", "); }

  const Options &options;
  const Installation &installation;
  TempDir &folder;
  Timing &timing;
  std::string cxx;
};

} // namespace

ProcessResult Tracer::run(std::vector<std::string> argv, const Limits &limits,
                          bool merged) {
  if (options.verbose)
    errs() << shellCommand(argv) << "\n";
  return runProcess(argv, limits, merged);
}

bool Tracer::compile(size_t index) {
  std::vector<std::string> argv = {cxx, "-std=c++20", "-I",
                                   installation.headers};
  append_range(argv, options.cxxFlags);
  // What foldDiagnostics reads: every user's line, columns in bytes.
  argv.insert(argv.end(), {"-fdiagnostics-color=never", "-ftabstop=1",
                           "-ftemplate-backtrace-limit=0"});
  argv.insert(argv.end(), {"-c", options.inputs[index], "-o", objectOf(index)});
  ProcessResult result = run(argv, compilerLimits, /*merged=*/true);
  if (result.ending.kind == Ending::NotStarted) {
    complain(cxx + " " + result.ending.describe(compilerLimits) +
             "; --cxx or NAX_CXX names another compiler");
    return false;
  }
  Folded folded = foldDiagnostics(result.err, installation.headers);
  std::string said = options.verbose ? result.err + closingHint(folded.text)
                                     : std::move(folded.text);
  errs() << said;
  // A result thrown away is an error even where it is a warning of the
  // compiler.
  if (result.ending.ok())
    return !folded.hasError;
  // The compiler's own words are the error, unless it had none.
  if (said.empty() || result.ending.kind != Ending::Exited)
    complain("compiling " + options.inputs[index] + " " +
             result.ending.describe(compilerLimits));
  return false;
}

/// Whether the object has a main() of its own.
static bool definesMain(StringRef path) {
  auto file = object::ObjectFile::createObjectFile(path);
  if (!file) {
    consumeError(file.takeError());
    return false;
  }
  return any_of(file->getBinary()->symbols(), [](object::SymbolRef symbol) {
    Expected<StringRef> name = symbol.getName();
    Expected<uint32_t> flags = symbol.getFlags();
    bool is = name && flags && *name == "main" &&
              !(*flags & object::SymbolRef::SF_Undefined);
    consumeError(name.takeError());
    consumeError(flags.takeError());
    return is;
  });
}

bool Tracer::link() {
  std::vector<std::string> argv = {cxx};
  for (size_t index = 0; index < options.inputs.size(); ++index) {
    argv.push_back(objectOf(index));
    if (definesMain(objectOf(index))) {
      complain(options.inputs[index] +
               " has a main(), but naxc runs the model with its own; move that "
               "of the application to another file");
      return false;
    }
  }
  argv.insert(argv.end(),
              {installation.emitLibrary, "-o", folder.file("generator")});
  ProcessResult result = run(argv, compilerLimits, /*merged=*/true);
  if (result.ending.ok())
    return true;
  complain("linking " + model() + " " + result.ending.describe(compilerLimits) +
           "\n" + result.err);
  return false;
}

std::optional<std::string> Tracer::generate() {
  std::string traced = folder.file("model.mlir");
  const Limits generatorLimits = {int(options.traceLimit), generatorBytes};
  ProcessResult result =
      run({folder.file("generator"), traced}, generatorLimits,
          /*merged=*/false);
  // A message of the tracer has the user's file, line and column already, or
  // is about the whole model.
  bool explained = result.ending.kind == Ending::Exited &&
                   StringRef(result.err).contains(": error: ");
  if (StringRef(result.err).starts_with("nax: error: "))
    result.err.replace(0, StringRef("nax").size(), model());
  if (!result.ending.ok() && !explained)
    complain("tracing " + model() + ": the program that the model makes " +
             result.ending.describe(generatorLimits));
  if (explained)
    errs() << showPlaces(result.err);
  else // the model's own words: a failed assertion, an exception
    errs() << result.err;
  if (!result.out.empty())
    errs() << "naxc: note: the model printed:\n" << result.out;
  if (!result.ending.ok())
    return std::nullopt;
  Expected<std::string> text = readFile(traced);
  if (!text) {
    consumeError(text.takeError());
    complain("tracing " + model() +
             ": the program that the model makes ended before the model was "
             "traced; something in it calls exit()");
    return std::nullopt;
  }
  return std::move(*text);
}

std::optional<std::string> Tracer::trace() {
  if (Error error = folder.create()) {
    complain(toString(std::move(error)));
    return std::nullopt;
  }
  {
    Timing::Scope scope(timing, "C++ compiler");
    for (size_t index = 0; index < options.inputs.size(); ++index)
      if (!compile(index))
        return std::nullopt;
    if (!link())
      return std::nullopt;
  }
  Timing::Scope scope(timing, "tracing");
  return generate();
}

std::optional<std::string>
nax::driver::traceModel(const Options &options,
                        const Installation &installation, TempDir &folder,
                        Timing &timing) {
  return Tracer(options, installation, folder, timing).trace();
}
