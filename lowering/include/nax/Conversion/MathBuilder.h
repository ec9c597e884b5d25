//===- MathBuilder.h - elementary functions as plain arithmetic -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Each function emits a polynomial made of arith ops and math.fma, so that
// neither a scalar call nor a vector library is left in the object. `x` is an
// f32 or a vector of f32 of any shape; the result has its type. A NaN gives a
// NaN, overflow gives infinity, underflow gives a subnormal number or zero, and
// no fast-math flag is set. Errors are the largest ones of test/run/kernels.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_CONVERSION_MATHBUILDER_H
#define NAX_CONVERSION_MATHBUILDER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace nax {

mlir::Value emitExp(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value emitExp2(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value emitLog(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value emitTanh(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
mlir::Value emitErf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);

/// 1 / (1 + e^-x), to a few ulp also where it is next to zero.
mlir::Value emitSigmoid(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);

/// x * sigmoid(x).
mlir::Value emitSilu(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
/// x/2 * (1 + erf(x / sqrt 2)).
mlir::Value emitGelu(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);
/// x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))), without cancellation.
mlir::Value emitGeluTanh(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x);

/// 2^x for x <= 0, for the inner loops of a softmax: exactly 0 below -126.5, so
/// for -infinity too, else as emitExp2.
mlir::Value emitExp2NonPositive(mlir::OpBuilder &b, mlir::Location loc,
                                mlir::Value x);

/// `value` as a constant of `type`: f32, a vector of f32, i32 or a vector of
/// it.
mlir::Value emitSplat(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                      double value);

} // namespace nax

#endif // NAX_CONVERSION_MATHBUILDER_H
