//===- Elementwise.cpp - verifiers of operations on each element ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../Rules.h"

using namespace mlir;
using namespace nax;
using namespace nax::checks;

/// The axes of the larger side; x's if they are equally many.
template <typename OpTy>
static LogicalResult verifyArith(OpTy op, std::string_view sign) {
  if (failed(obey(
          op, rule::arith(sign, Described(op.getX()), Described(op.getY())))))
    return failure();
  nax::TensorType x = op.getX().getType(), y = op.getY().getType();
  nax::TensorType larger = x.getRank() >= y.getRank() ? x : y;
  return expectResult(
      op, Wanted(larger.getAxes(), x.getElementType(), {}, joinedWhole(x, y)));
}

LogicalResult AddOp::verify() { return verifyArith(*this, "+"); }
LogicalResult SubOp::verify() { return verifyArith(*this, "-"); }
LogicalResult MulOp::verify() { return verifyArith(*this, "*"); }
LogicalResult DivOp::verify() { return verifyArith(*this, "/"); }

template <typename OpTy>
static LogicalResult verifyMap(OpTy op, std::string_view name) {
  if (failed(obey(op, rule::map(name, Described(op.getX())))))
    return failure();
  return expectResult(op, op.getX().getType());
}

LogicalResult NegOp::verify() { return verifyMap(*this, "neg"); }
LogicalResult SiluOp::verify() { return verifyMap(*this, "silu"); }
LogicalResult GeluOp::verify() { return verifyMap(*this, "gelu"); }
LogicalResult GeluTanhOp::verify() { return verifyMap(*this, "gelu_tanh"); }
LogicalResult ReluOp::verify() { return verifyMap(*this, "relu"); }
LogicalResult ExpOp::verify() { return verifyMap(*this, "exp"); }
LogicalResult TanhOp::verify() { return verifyMap(*this, "tanh"); }
LogicalResult SigmoidOp::verify() { return verifyMap(*this, "sigmoid"); }
LogicalResult SqrtOp::verify() { return verifyMap(*this, "sqrt"); }

LogicalResult ScaleOp::verify() {
  if (failed(obey(*this, rule::by_constant("*", Described(getX())))) ||
      failed(verifyConstant(*this, "factor", getBy())))
    return failure();
  return expectResult(*this, getX().getType());
}

LogicalResult OffsetOp::verify() {
  if (failed(obey(*this, rule::by_constant("+", Described(getX())))) ||
      failed(verifyConstant(*this, "offset", getBy())))
    return failure();
  return expectResult(*this, getX().getType());
}

LogicalResult CastOp::verify() {
  Type to = getType().getElementType();
  StringRef name = nameOf(to);
  // The same elements in another order of axes are no other numbers.
  if (to != getX().getType().getElementType() &&
      failed(obey(*this, rule::cast(Described(getX()), name))))
    return failure();
  return expectResult(*this, Wanted(getX().getType()).withElementType(to));
}

LogicalResult DropoutOp::verify() {
  if (failed(obey(*this, rule::dropout(Described(getX())))))
    return failure();
  nax::TensorType seed = getSeed().getType();
  if (seed.getRank() || !seed.isPlain() || !seed.getElementType().isInteger(64))
    return emitOpError("expects the seed to be one i64, but got ") << seed;
  double p = getP().convertToDouble();
  if (!(p >= 0 && p < 1))
    return emitOpError("expects the probability to be in [0, 1), but got ")
           << p;
  return expectResult(*this, getX().getType());
}
