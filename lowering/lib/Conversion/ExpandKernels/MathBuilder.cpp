//===- MathBuilder.cpp - elementary functions as plain arithmetic ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Coefficients are minimax fits for the relative error of the whole function,
// made with Remez' exchange algorithm in double precision.
//
//===----------------------------------------------------------------------===//

#include "nax/Conversion/MathBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;

Value nax::emitSplat(OpBuilder &b, Location loc, Type type, double value) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr scalar = isa<IntegerType>(element)
                         ? TypedAttr(IntegerAttr::get(element, int64_t(value)))
                         : TypedAttr(FloatAttr::get(element, value));
  if (auto shaped = dyn_cast<ShapedType>(type))
    scalar = DenseElementsAttr::get(shaped, Attribute(scalar));
  return arith::ConstantOp::create(b, loc, scalar);
}

namespace {

/// Arithmetic on f32 or vectors of it, written as it reads.
struct Floats {
  OpBuilder &b;
  Location loc;
  Type type, bits;

  Floats(OpBuilder &b, Location loc, Value x)
      : b(b), loc(loc), type(x.getType()) {
    bits = b.getI32Type();
    if (auto vector = dyn_cast<VectorType>(type))
      bits = vector.clone(bits);
  }

  Value k(double value) { return nax::emitSplat(b, loc, type, value); }
  Value i(int64_t value) { return nax::emitSplat(b, loc, bits, value); }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, loc, x, y); }
  Value neg(Value x) { return arith::NegFOp::create(b, loc, x); }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, loc, x, y, z);
  }
  Value addi(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value subi(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
  Value andi(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
  Value ori(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }
  Value shl(Value x, int64_t n) {
    return arith::ShLIOp::create(b, loc, x, i(n));
  }
  Value shr(Value x, int64_t n) {
    return arith::ShRSIOp::create(b, loc, x, i(n));
  }
  Value toBits(Value x) { return arith::BitcastOp::create(b, loc, bits, x); }
  Value fromBits(Value x) { return arith::BitcastOp::create(b, loc, type, x); }
  Value cmp(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, loc, predicate, x, y);
  }
  Value select(Value c, Value x, Value y) {
    return arith::SelectOp::create(b, loc, c, x, y);
  }
  Value abs(Value x) { return fromBits(andi(toBits(x), i(0x7fffffff))); }
  /// The sign of `sign` on the magnitude `x` >= 0.
  Value withSignOf(Value x, Value sign) {
    Value bit = andi(toBits(sign), i(std::numeric_limits<int32_t>::min()));
    return fromBits(ori(toBits(x), bit));
  }

  /// The larger and the smaller one; a NaN in x stays. In this form each is
  /// one x86 instruction.
  Value atLeast(Value x, double bound) {
    Value c = k(bound);
    return select(cmp(arith::CmpFPredicate::OGT, c, x), c, x);
  }
  Value atMost(Value x, double bound) {
    Value c = k(bound);
    return select(cmp(arith::CmpFPredicate::OLT, c, x), c, x);
  }

  /// ((c0 x + c1) x + c2) ...
  Value poly(Value x, ArrayRef<double> coefficients) {
    Value p = k(coefficients.front());
    for (double c : coefficients.drop_front())
      p = fma(p, x, k(c));
    return p;
  }

  /// p * 2^n for integers -252 <= n <= 254: two steps, since one factor could
  /// neither overflow nor become subnormal on its own.
  Value scaleByPowerOfTwo(Value p, Value n) {
    Value half = shr(n, 1);
    Value rest = subi(n, half);
    Value first = fromBits(shl(addi(half, i(127)), 23));
    Value second = fromBits(shl(addi(rest, i(127)), 23));
    return mul(mul(p, first), second);
  }
};

/// Adding this number rounds to an integer, which then stands in the low bits.
constexpr double kRounder = 12582912.0; // 1.5 * 2^23
constexpr int64_t kRounderBits = 0x4b400000;

constexpr double kExp2Coefficients[] = {1.535325801e-04,
                                        1.339900342e-03,
                                        9.618438601e-03,
                                        5.550332163e-02,
                                        2.402264790e-01,
                                        6.931472030e-01,
                                        1.0};

} // namespace

Value nax::emitExp(OpBuilder &b, Location loc, Value x) {
  Floats f(b, loc, x);
  // Outside of these bounds the result is infinity or zero anyway.
  Value c = f.atMost(f.atLeast(x, -105.0), 89.5);
  Value shifted = f.fma(c, f.k(1.4426950408889634), f.k(kRounder));
  Value n = f.sub(shifted, f.k(kRounder));
  // ln 2 in two parts; the first has few bits, so that n times it is exact.
  Value r = f.fma(n, f.k(-0.693145751953125), c);
  r = f.fma(n, f.k(-1.42860682030941723e-06), r);
  Value q = f.poly(r, {1.381446695e-03, 8.368780410e-03, 4.166839421e-02,
                       1.666652011e-01, 4.999999341e-01});
  Value p = f.add(f.fma(f.mul(r, r), q, r), f.k(1.0));
  return f.scaleByPowerOfTwo(p, f.subi(f.toBits(shifted), f.i(kRounderBits)));
}

Value nax::emitExp2(OpBuilder &b, Location loc, Value x) {
  Floats f(b, loc, x);
  Value c = f.atMost(f.atLeast(x, -151.0), 129.0);
  Value shifted = f.add(c, f.k(kRounder));
  Value r = f.sub(c, f.sub(shifted, f.k(kRounder)));
  return f.scaleByPowerOfTwo(f.poly(r, kExp2Coefficients),
                             f.subi(f.toBits(shifted), f.i(kRounderBits)));
}

Value nax::emitExp2NonPositive(OpBuilder &b, Location loc, Value x) {
  Floats f(b, loc, x);
  Value c = f.atLeast(x, -127.0);
  Value shifted = f.add(c, f.k(kRounder));
  Value r = f.sub(c, f.sub(shifted, f.k(kRounder)));
  // The rounder leaves the low bits to n: this is 2^n, and for -127 it is 0. A
  // product, not a sum of exponents, since that would make a number of a NaN.
  Value power = f.addi(f.shl(f.toBits(shifted), 23), f.i(0x3f800000));
  return f.mul(f.poly(r, kExp2Coefficients), f.fromBits(power));
}

Value nax::emitLog(OpBuilder &b, Location loc, Value x) {
  Floats f(b, loc, x);
  using P = arith::CmpFPredicate;
  Value isSubnormal = f.cmp(P::OLT, x, f.k(0x1p-126));
  Value normal = f.select(isSubnormal, f.mul(x, f.k(0x1p23)), x);
  Value bias = f.select(isSubnormal, f.k(-23.0), f.k(0.0));

  // x = m 2^n with m in [sqrt 1/2, sqrt 2).
  Value offset = f.subi(f.toBits(normal), f.i(0x3f3504f3));
  Value exponent = f.andi(offset, f.i(-0x00800000));
  Value m = f.fromBits(f.subi(f.toBits(normal), exponent));
  Value n =
      f.add(arith::SIToFPOp::create(b, loc, f.type, f.shr(exponent, 23)), bias);

  Value r = f.sub(m, f.k(1.0));
  Value q = f.poly(r, {6.747733518e-02, -1.167751666e-01, 1.188869603e-01,
                       -1.240533991e-01, 1.421945315e-01, -1.666800520e-01,
                       2.000212345e-01, -2.500000951e-01, 3.333331254e-01});
  Value square = f.mul(r, r);
  Value low =
      f.fma(n, f.k(1.42860682030941723e-06), f.mul(f.mul(square, r), q));
  low = f.fma(square, f.k(-0.5), low);
  Value result = f.fma(n, f.k(0.693145751953125), f.add(low, r));

  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  result = f.select(f.cmp(P::OEQ, x, f.k(inf)), x, result);
  result = f.select(f.cmp(P::OEQ, x, f.k(0.0)), f.k(-inf), result);
  // Negative numbers, and NaN itself.
  return f.select(f.cmp(P::OGE, x, f.k(0.0)), result, f.k(nan));
}

Value nax::emitTanh(OpBuilder &b, Location loc, Value x) {
  Floats f(b, loc, x);
  Value size = f.abs(x);
  Value square = f.mul(x, x);
  Value q = f.poly(square, {-5.704986602e-03, 2.063908682e-02, -5.373971493e-02,
                            1.333144220e-01, -3.333328194e-01});
  Value small = f.fma(f.mul(square, size), q, size);

  Value e = emitExp(b, loc, f.add(size, size));
  Value large = f.sub(f.k(1.0), f.div(f.k(2.0), f.add(e, f.k(1.0))));
  Value isSmall = f.cmp(arith::CmpFPredicate::OLT, size, f.k(0.625));
  return f.withSignOf(f.select(isSmall, small, large), x);
}

Value nax::emitErf(OpBuilder &b, Location loc, Value x) {
  Floats f(b, loc, x);
  Value square = f.mul(x, x);
  Value q = f.poly(square, {7.853861377e-05, -8.010193633e-04, 5.188327687e-03,
                            -2.685381194e-02, 1.128358515e-01, -3.761262582e-01,
                            1.283791657e-01});
  Value small = f.fma(x, q, x);

  // From 1 on: 1 - 2^g with g = log2(erfc), a polynomial in |x|. At 3.95 the
  // result has reached 1.
  Value size = f.abs(x);
  Value c = f.atMost(size, 3.95);
  Value g = f.poly(c, {2.688883031e-04, -4.252571709e-03, 3.150566545e-02,
                       -1.487516011e-01, -9.206483884e-01, -1.626045984e+00,
                       -4.927139893e-04});
  Value large = f.sub(f.k(1.0), emitExp2NonPositive(b, loc, g));
  Value isSmall = f.cmp(arith::CmpFPredicate::OLT, size, f.k(1.0));
  return f.select(isSmall, small, f.withSignOf(large, x));
}

Value nax::emitSigmoid(OpBuilder &b, Location loc, Value x) {
  Floats f(b, loc, x);
  Value e = emitExp(b, loc, f.neg(f.abs(x)));
  Value isNegative = f.cmp(arith::CmpFPredicate::OLT, x, f.k(0.0));
  return f.div(f.select(isNegative, e, f.k(1.0)), f.add(e, f.k(1.0)));
}

Value nax::emitSilu(OpBuilder &b, Location loc, Value x) {
  Floats f(b, loc, x);
  return f.mul(x, emitSigmoid(b, loc, x));
}

Value nax::emitGelu(OpBuilder &b, Location loc, Value x) {
  Floats f(b, loc, x);
  Value e = emitErf(b, loc, f.mul(x, f.k(0.70710678118654752)));
  Value half = f.mul(x, f.k(0.5));
  return f.fma(half, e, half);
}

Value nax::emitGeluTanh(OpBuilder &b, Location loc, Value x) {
  Floats f(b, loc, x);
  // (1 + tanh u) / 2 = sigmoid(2u)
  constexpr double root = 0.79788456080286536; // sqrt(2 / pi)
  Value twice = f.fma(f.mul(x, x), f.k(2 * root * 0.044715), f.k(2 * root));
  return f.mul(x, emitSigmoid(b, loc, f.mul(twice, x)));
}
