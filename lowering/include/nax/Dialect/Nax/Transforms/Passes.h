//===- Passes.h - passes from nax to nax ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_DIALECT_NAX_TRANSFORMS_PASSES_H
#define NAX_DIALECT_NAX_TRANSFORMS_PASSES_H

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace nax {

#define GEN_PASS_DECL
#include "nax/Dialect/Nax/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nax/Dialect/Nax/Transforms/Passes.h.inc"

} // namespace nax

#endif // NAX_DIALECT_NAX_TRANSFORMS_PASSES_H
