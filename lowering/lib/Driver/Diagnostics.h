//===- Diagnostics.h - the compiler's messages, the user's line first -----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_DIAGNOSTICS_H
#define NAX_LIB_DRIVER_DIAGNOSTICS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace nax::driver {

struct Folded {
  std::string text;
  bool hasError = false;
};

/// What a person wants to read of the compiler's output: for each mistake one
/// `file:line:column: error: sentence` at the line of the model, with its
/// caret, in the order of the lines. Clang reports a refused operation within
/// nax's headers and names the user's line in a note; g++ names it first but
/// wraps the sentence in the type of a deleted function. What only follows from
/// another mistake is left out. `headers` is the folder of nax's headers.
Folded foldDiagnostics(llvm::StringRef output, llvm::StringRef headers);

/// The same text with the line of the file and a caret below each
/// `file:line:column: error: sentence`, for a tool that printed none.
std::string showPlaces(llvm::StringRef output);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_DIAGNOSTICS_H
