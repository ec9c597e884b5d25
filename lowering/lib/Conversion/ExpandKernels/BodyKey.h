//===- BodyKey.h - an operation with its body as text -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_EXPANDKERNELS_BODYKEY_H
#define NAX_LIB_CONVERSION_EXPANDKERNELS_BODYKEY_H

#include "mlir/IR/Value.h"

#include <string>

namespace nax {

/// Made by a constant: whoever copies a body makes it anew.
bool isConstant(mlir::Value value);

/// Operation, types and body: operations of equal text can share a kernel.
std::string bodyKey(mlir::Operation *op);
/// The same of a body alone.
std::string bodyKey(mlir::Region &body);

} // namespace nax

#endif // NAX_LIB_CONVERSION_EXPANDKERNELS_BODYKEY_H
