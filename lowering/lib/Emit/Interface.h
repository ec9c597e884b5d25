//===- Interface.h - a ModelInfo as an attribute of its module ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_EMIT_INTERFACE_H
#define NAX_LIB_EMIT_INTERFACE_H

#include "nax/Emit/ModelInfo.h"

namespace nax {

inline constexpr llvm::StringLiteral interfaceAttrName = "nax.interface";

/// Of a module of the nax level, from its functions.
mlir::FailureOr<ModelInfo> readInterface(mlir::ModuleOp module);

/// What ModelInfo::attach left on the module.
mlir::FailureOr<ModelInfo> interfaceOf(mlir::ModuleOp module);

} // namespace nax

#endif // NAX_LIB_EMIT_INTERFACE_H
