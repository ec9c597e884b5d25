//===- Driver.cpp - the compiler as a command -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Driver/Driver.h"

#include "Explain.h"
#include "Frontend.h"
#include "Levels.h"
#include "Session.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;
using namespace nax;
using namespace nax::driver;

int nax::driver::complain(const Twine &words) {
  errs() << "naxc: error: " << words << "\n";
  return 1;
}

int nax::driver::complain(Error error) {
  return error.isA<SaidAlready>() ? (consumeError(std::move(error)), 1)
                                  : complain(toString(std::move(error)));
}

char SaidAlready::ID = 0;

bool Session::load() {
  std::string text;
  if (options.isMlir()) {
    Expected<std::string> contents = readFile(options.inputs[0]);
    if (!contents)
      return complain(contents.takeError()), false;
    text = std::move(*contents);
  } else {
    // A missing file is naxc's to report; the compiler would say it worse.
    for (const std::string &input : options.inputs) {
      Expected<std::string> contents = readFile(input);
      if (!contents)
        return complain(contents.takeError()), false;
    }
    Expected<Installation> found = Installation::find();
    if (!found)
      return complain(found.takeError()), false;
    installation = std::move(*found);
    std::optional<std::string> traced =
        traceModel(options, installation, folder, timing);
    if (!traced)
      return false;
    text = std::move(*traced);
  }
  // A traced module must not bear the name of the file that its locations are
  // in: messages would show its lines in place of that file's.
  return compilation.load(std::move(text),
                          options.isMlir() ? options.inputs[0]
                                           : options.inputs[0] + " (traced)");
}

static int runCommandOf(const Options &options) {
  if (Error error = checkLevelsRunHere(options))
    return complain(std::move(error));
  Session session(options);
  int status = 1;
  switch (options.command) {
  case Command::Compile:
    status = compileCommand(session);
    break;
  case Command::Run:
    status = runCommand(session);
    break;
  case Command::Check:
    status = checkCommand(session);
    break;
  case Command::Pack:
    status = packCommand(session);
    break;
  case Command::Explain:
  case Command::Help:
  case Command::Version:
    break;
  }
  outs().flush();
  errs() << closingHint(session.compilation.said());
  if (options.timing)
    session.timing.print(errs());
  return status;
}

static int runOptions(const Options &options) {
  switch (options.command) {
  case Command::Help:
    outs() << helpText();
    return 0;
  case Command::Version:
    outs() << "naxc " NAX_VERSION ", LLVM " LLVM_VERSION_STRING "\n";
    return 0;
  case Command::Explain:
    return explainCommand(options);
  default:
    return runCommandOf(options);
  }
}

int nax::naxcMain(int argc, char **argv) {
  installSignalHandlers();
  // The compiler's messages are read here, so it shall not translate them.
  setenv("LC_ALL", "C", /*overwrite=*/1);
  Expected<Options> options =
      parseOptions(ArrayRef<const char *>(argv + 1, argv + argc));
  if (!options) {
    complain(options.takeError());
    return 2;
  }
  int status = runOptions(*options);
  // A reader that left is no reason for LLVM to end the process noisily.
  outs().flush();
  if (outs().has_error()) {
    outs().clear_error();
    return 1;
  }
  return status;
}
