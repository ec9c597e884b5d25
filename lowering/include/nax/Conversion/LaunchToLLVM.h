//===- LaunchToLLVM.h - launches become calls of the runtime ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_CONVERSION_LAUNCHTOLLVM_H
#define NAX_CONVERSION_LAUNCHTOLLVM_H

#include "mlir/Pass/Pass.h"

namespace nax {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "nax/Conversion/LaunchToLLVM.h.inc"

} // namespace nax

#endif // NAX_CONVERSION_LAUNCHTOLLVM_H
