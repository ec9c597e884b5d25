//===- ThrownAway.h - results that nobody uses ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_THROWNAWAY_H
#define NAX_LIB_DRIVER_THROWNAWAY_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace nax::driver {

/// Whether the compiler's sentence is about [[nodiscard]] of a tensor.
bool isThrownAway(llvm::StringRef sentence);

/// Rule 45 for the operation, which may be empty. `sentence` is the compiler's;
/// it has the type of the result.
std::string thrownAway(llvm::StringRef operation, llvm::StringRef sentence);

/// Whether it is about what a refused operation gave, whose mistake has an
/// error of its own.
inline bool mentionsRefused(llvm::StringRef sentence) {
  return sentence.contains("Refused");
}

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_THROWNAWAY_H
