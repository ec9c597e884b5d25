//===- Explain.h - naxc explain: a page for each code ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_EXPLAIN_H
#define NAX_LIB_DRIVER_EXPLAIN_H

#include "Options.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace nax::driver {

/// Prints the pages of the codes given, or one line for each page there is.
int explainCommand(const Options &options);

/// The last line below messages: "(naxc explain N0012 says more)" for the codes
/// in `said` that have a page, and that --verbose shows more if something was
/// left out; nothing if there is nothing to say.
std::string closingHint(llvm::StringRef said, bool leftOut = false);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_EXPLAIN_H
