//===- Numbers.cpp - constants and conversions of one element -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;

namespace nax {

Value indexConstant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value floatConstant(OpBuilder &b, Location loc, Type type, double value) {
  return arith::ConstantOp::create(b, loc, type, b.getFloatAttr(type, value));
}

Value widen(OpBuilder &b, Location loc, Value v) {
  Type type = v.getType();
  if (type.isF16() || type.isBF16())
    return arith::ExtFOp::create(b, loc, b.getF32Type(), v);
  return v;
}

/// The nearest bf16 to an f32 that is no NaN. As a truncf of a whole number it
/// would be folded to one conversion, which LLVM does by a function.
static Value roundToBF16(OpBuilder &b, Location loc, Value v) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, 32);
  };
  Value bits = arith::BitcastOp::create(b, loc, b.getI32Type(), v);
  Value odd = arith::AndIOp::create(
      b, loc, arith::ShRUIOp::create(b, loc, bits, number(16)), number(1));
  bits = arith::AddIOp::create(
      b, loc, bits, arith::AddIOp::create(b, loc, odd, number(0x7fff)));
  bits = arith::ShRUIOp::create(b, loc, bits, number(16));
  return arith::BitcastOp::create(
      b, loc, b.getBF16Type(),
      arith::TruncIOp::create(b, loc, b.getI16Type(), bits).getResult());
}

/// Towards zero. What lies beyond the type is its nearest end, what is no number
/// is 0; the machine's own conversions differ in both.
static Value wholeNumber(OpBuilder &b, Location loc, Value v, Type type) {
  if (v.getType().getIntOrFloatBitWidth() == 16)
    v = arith::ExtFOp::create(b, loc, b.getF32Type(), v);
  unsigned width = type.getIntOrFloatBitWidth();
  Value whole = arith::FPToSIOp::create(b, loc, type, v);
  auto where = [&](arith::CmpFPredicate is, Value than, const APInt &value) {
    Value there = arith::CmpFOp::create(b, loc, is, v, than);
    Value end = arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
    whole = arith::SelectOp::create(b, loc, there, end, whole);
  };
  auto bound = [&](double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(v.getType(), value));
  };
  double past = std::ldexp(1.0, static_cast<int>(width) - 1);
  where(arith::CmpFPredicate::OGE, bound(past),
        APInt::getSignedMaxValue(width));
  where(arith::CmpFPredicate::OLT, bound(-past),
        APInt::getSignedMinValue(width));
  where(arith::CmpFPredicate::UNO, v, APInt::getZero(width));
  return whole;
}

Value convertTo(OpBuilder &b, Location loc, Value v, Type type) {
  Type from = v.getType();
  if (from == type)
    return v;
  // Whatever is not 0 is true, a half too.
  if (type.isInteger(1)) {
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(from));
    if (isa<FloatType>(from))
      return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, v, zero);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, v, zero);
  }
  // The 16-bit types are made of f32: of any other LLVM makes them by a
  // function of compiler-rt, which the linking program need not have.
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 16 &&
      !from.isF32()) {
    v = convertTo(b, loc, v, b.getF32Type());
    if (type.isBF16() && !isa<FloatType>(from))
      return roundToBF16(b, loc, v);
    return arith::TruncFOp::create(b, loc, type, v);
  }
  if (isa<FloatType>(from) && isa<FloatType>(type)) {
    if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(b, loc, type, v);
    return arith::TruncFOp::create(b, loc, type, v);
  }
  if (isa<FloatType>(from))
    return wholeNumber(b, loc, v, type);
  if (isa<FloatType>(type)) {
    // A boolean is 0 or 1, never -1.
    if (from.isInteger(1) || from.isInteger(8))
      return arith::UIToFPOp::create(b, loc, type, v);
    return arith::SIToFPOp::create(b, loc, type, v);
  }
  if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, loc, type, v);
  if (from.isInteger(1))
    return arith::ExtUIOp::create(b, loc, type, v);
  return arith::ExtSIOp::create(b, loc, type, v);
}

} // namespace nax
