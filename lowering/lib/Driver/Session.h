//===- Session.h - what every command of naxc begins with -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_SESSION_H
#define NAX_LIB_DRIVER_SESSION_H

#include "Compilation.h"
#include "Files.h"
#include "Installation.h"
#include "Options.h"
#include "Timing.h"

namespace nax::driver {

/// One call of naxc. Members are in the order in which they depend on each
/// other; the folder goes away last but one.
struct Session {
  explicit Session(const Options &options)
      : options(options), compilation(options, timing) {}

  /// Traces the model or reads the .mlir file into `compilation`; false when
  /// it could not and has said why.
  bool load();

  /// The form of the model that run and check call.
  const ModelInfo &checkedInfo() const {
    return options.device == Device::Cpu ? compilation.info()
                                         : *compilation.gpuInfo();
  }

  const Options &options;
  Timing timing;
  TempDir folder;
  Installation installation;
  Compilation compilation;
};

/// The commands. Each returns naxc's exit status.
int compileCommand(Session &session);
int runCommand(Session &session);
int checkCommand(Session &session);
int packCommand(Session &session);

/// An error whose words are on stderr already.
class SaidAlready : public llvm::ErrorInfo<SaidAlready> {
public:
  static char ID;
  void log(llvm::raw_ostream &os) const override { os << "said already"; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// "naxc: error: WORDS" on stderr; returns 1.
int complain(llvm::Error error);
int complain(const llvm::Twine &words);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_SESSION_H
