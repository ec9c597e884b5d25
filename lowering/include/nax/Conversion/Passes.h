//===- Passes.h - from the nax level to LLVM --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_CONVERSION_PASSES_H
#define NAX_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

#include <string>

namespace nax {

#define GEN_PASS_DECL
#include "nax/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nax/Conversion/Passes.h.inc"

} // namespace nax

#endif // NAX_CONVERSION_PASSES_H
