//===- Evaluator.h - what a model means, in float64 -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The oracle: a straight interpretation of a module of the nax level, scalar,
// in float64, one operation after the other. It knows nothing of fusion,
// layouts, packing or masks as numbers, and is no way to run a model.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_REFERENCE_EVALUATOR_H
#define NAX_REFERENCE_EVALUATOR_H

#include "nax/Reference/NDArray.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace nax::reference {

/// The values of a parameter by its path; null if there is none.
using Params = llvm::function_ref<const NDArray *(llvm::StringRef)>;

/// Evaluates an entry. Inputs have the axes of the entry's arguments, data and
/// seed included, and their sizes agree; results have those of its results.
/// What goes wrong is reported at the operation.
mlir::FailureOr<std::vector<NDArray>> evaluate(mlir::ModuleOp module,
                                               llvm::StringRef entry,
                                               llvm::ArrayRef<NDArray> inputs,
                                               Params params);

/// An array of zeros of this type, or nothing if an axis has no size.
std::optional<NDArray> zeros(TensorType type, const Extents &extents);

} // namespace nax::reference

#endif // NAX_REFERENCE_EVALUATOR_H
