//===- WeightsOf.h - --weights-of: types out of a file ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_WEIGHTSOF_H
#define NAX_LIB_DRIVER_WEIGHTSOF_H

#include "nax/Emit/ModelInfo.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Error.h"

namespace nax::driver {

/// By the name of each parameter that the file at `path` has so, a
/// WeightFormat: the module attribute nax.weights. Fails where the file can't
/// be read or does not fit the model.
llvm::Expected<mlir::DictionaryAttr> weightsOf(const ModelInfo &info,
                                               llvm::StringRef path,
                                               mlir::MLIRContext *context);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_WEIGHTSOF_H
