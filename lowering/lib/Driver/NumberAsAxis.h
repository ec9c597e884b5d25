//===- NumberAsAxis.h - Tensor<f32, B, 32> --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// No overload of a class takes a number for an axis, so that the compiler's
// own words are all there is.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_NUMBERASAXIS_H
#define NAX_LIB_DRIVER_NUMBERASAXIS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace nax::driver {

/// Whether the compiler's sentence is about a value where a type is meant.
bool isValueForType(llvm::StringRef sentence);

/// Where the value begins: g++ points at the > behind it, and names it in a
/// note. Any other note leaves the column as it is.
unsigned columnOfValue(llvm::StringRef line, unsigned column,
                       llvm::StringRef note);

/// Rule 10 for the value that begins at the `column` of the line, which counts
/// from 1; nothing where it is no axis of a tensor.
std::string numberAsAxis(llvm::StringRef line, unsigned column);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_NUMBERASAXIS_H
