//===- CompilerOutput.h - messages, as compilers print them ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_COMPILEROUTPUT_H
#define NAX_LIB_DRIVER_COMPILEROUTPUT_H

#include "SourceText.h"

#include <optional>

namespace nax::driver {

/// `file:line:column: severity: sentence` and the lines that show the place.
struct Message {
  Place place;
  llvm::StringRef severity, sentence;
  std::vector<llvm::StringRef> shown;

  bool isNote() const { return severity == "note"; }
  bool isError() const { return severity.contains("error"); }
};

/// An error or warning with the notes that belong to it; `asked` are the lines
/// that g++ prints before it ("required from here").
struct Said {
  Message main;
  std::vector<Message> notes, asked;
};

/// All that points into the output stays there.
std::vector<Said> readCompilerOutput(llvm::StringRef output);

/// The line as a message; nothing if it begins none.
std::optional<Message> readMessage(llvm::StringRef line);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_COMPILEROUTPUT_H
