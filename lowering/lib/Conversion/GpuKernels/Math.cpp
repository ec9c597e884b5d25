//===- Math.cpp - functions of f64 as arithmetic, and roots
//-------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The device has instructions for sums, products, quotients and roots of f64,
// and nothing else. Arguments are reduced to where a Taylor series of few terms
// is exact to the last digits: rope's angles and models of f64 want a few
// functions, seldom, and right.
//
//===----------------------------------------------------------------------===//

#include "OwnKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace nax;

namespace {

struct Doubles {
  ImplicitLocOpBuilder b;

  Doubles(OpBuilder &builder, Location loc) : b(loc, builder) {}

  Value k(double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }
  Value i(int64_t value) {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, x, y); }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, x, y, z);
  }
  /// The one within the bounds; a NaN stays.
  Value within(Value x, double low, double high) {
    x = select(less(x, low), k(low), x);
    Value above =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, k(high));
    return select(above, k(high), x);
  }
  Value less(Value x, double bound) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, k(bound));
  }
  Value select(Value c, Value x, Value y) {
    return arith::SelectOp::create(b, c, x, y);
  }
  Value bits(Value x) { return arith::BitcastOp::create(b, b.getI64Type(), x); }
  Value fromBits(Value x) {
    return arith::BitcastOp::create(b, b.getF64Type(), x);
  }
  Value andi(Value x, int64_t mask) {
    return arith::AndIOp::create(b, x, i(mask));
  }
  Value abs(Value x) { return fromBits(andi(bits(x), INT64_MAX)); }
  Value withSignOf(Value x, Value sign) {
    return fromBits(
        arith::OrIOp::create(b, bits(x), andi(bits(sign), INT64_MIN)));
  }

  /// c[0] + c[1] x + c[2] x^2 ...
  Value series(Value x, ArrayRef<double> c) {
    Value sum = k(c.back());
    for (double factor : llvm::reverse(c.drop_back()))
      sum = fma(sum, x, k(factor));
    return sum;
  }

  /// The nearest whole number to x, |x| < 2^51, as f64 and i64.
  std::pair<Value, Value> nearest(Value x) {
    Value rounder = k(0x1.8p52); // its low bits then hold the number
    Value shifted = add(x, rounder);
    Value number = arith::SubIOp::create(b, bits(shifted), bits(rounder));
    return {sub(shifted, rounder), number};
  }

  /// p * 2^n, in two steps so that no factor overflows.
  Value scale(Value p, Value n) {
    Value half = arith::ShRSIOp::create(b, n, i(1));
    for (Value part : {half, Value(arith::SubIOp::create(b, n, half))}) {
      Value biased = arith::AddIOp::create(b, part, i(1023));
      p = mul(p, fromBits(arith::ShLIOp::create(b, biased, i(52))));
    }
    return p;
  }

  Value exp(Value x);
  Value log(Value x);
  Value sinOrCos(Value x, int64_t quarter);
  Value tanh(Value x);
  Value erf(Value x);
};

/// 1/0!, 1/first!, ... with `step` between the factorials, signs in turn.
SmallVector<double> factorials(int first, int step, int count, bool alternate) {
  SmallVector<double> terms;
  double factorial = 1, sign = 1;
  for (int n = 2; n <= first; ++n)
    factorial *= n;
  for (int at = first; count-- > 0;) {
    terms.push_back(sign / factorial);
    for (int i = 0; i < step; ++i)
      factorial *= ++at;
    sign = alternate ? -sign : sign;
  }
  return terms;
}

/// 2^n e^r with |r| <= ln 2 / 2.
Value Doubles::exp(Value x) {
  Value clamped = within(x, -746, 710);
  auto [n, number] = nearest(mul(clamped, k(M_LOG2E)));
  // ln 2 in two parts, the first one the nearest f64.
  Value r = fma(n, k(-M_LN2), clamped);
  r = fma(n, k(-2.3190468138462996e-17), r);
  return scale(series(r, factorials(0, 1, 14, false)), number);
}

/// log(m 2^n) = n ln 2 + 2 artanh((m - 1) / (m + 1)), sqrt(1/2) <= m < sqrt 2.
Value Doubles::log(Value x) {
  constexpr int64_t root = 0x3fe6a09e667f3bcd; // of 1/2
  Value isSmall = less(x, 0x1p-1022);
  Value normal = select(isSmall, mul(x, k(0x1p54)), x);
  Value above = arith::SubIOp::create(b, bits(normal), i(root));
  Value exponent = andi(above, int64_t(0xfff0000000000000));
  Value m = fromBits(arith::SubIOp::create(b, bits(normal), exponent));
  Value n = arith::SIToFPOp::create(b, b.getF64Type(),
                                    arith::ShRSIOp::create(b, exponent, i(52)));
  n = add(n, select(isSmall, k(-54), k(0)));
  Value s = div(sub(m, k(1)), add(m, k(1)));
  SmallVector<double> odd;
  for (int at = 1; at <= 23; at += 2)
    odd.push_back(2.0 / at);
  Value result = fma(n, k(M_LN2), mul(s, series(mul(s, s), odd)));
  auto is = [&](arith::CmpFPredicate p, double than) -> Value {
    return arith::CmpFOp::create(b, p, x, k(than));
  };
  using P = arith::CmpFPredicate;
  result = select(is(P::OEQ, INFINITY), x, result);
  result = select(is(P::OEQ, 0), k(-INFINITY), result);
  return select(is(P::OGE, 0), result, k(NAN));
}

/// sin(x + quarter * pi / 2). The rest r of n quarter turns is exact to 1e-16
/// for any angle of a position: pi / 2 stands in three parts.
Value Doubles::sinOrCos(Value x, int64_t quarter) {
  auto [n, number] = nearest(mul(x, k(M_2_PI)));
  Value r = fma(n, k(-1.5707963267948966), x);
  r = fma(n, k(-6.123233995736766e-17), r);
  r = fma(n, k(1.4973849048591698e-33), r);
  Value turns = arith::AddIOp::create(b, number, i(quarter));
  Value square = mul(r, r);
  Value sine = mul(r, series(square, factorials(1, 2, 9, true)));
  Value cosine = series(square, factorials(0, 2, 9, true));
  auto bit = [&](int64_t mask) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, andi(turns, mask),
                                 i(0));
  };
  Value value = select(bit(1), cosine, sine);
  return select(bit(2), arith::NegFOp::create(b, value), value);
}

/// sinh / cosh near 0, else 1 - 2 / (e^2x + 1).
Value Doubles::tanh(Value x) {
  Value size = abs(x), square = mul(x, x);
  Value small = div(mul(x, series(square, factorials(1, 2, 10, false))),
                    series(square, factorials(0, 2, 10, false)));
  Value large = sub(k(1), div(k(2), add(exp(add(size, size)), k(1))));
  return select(less(size, 1), small, withSignOf(large, x));
}

/// 2 / sqrt(pi) e^(-x^2) times the sum of 2^n x^(2n+1) / (1 3 5 ... (2n+1))
/// (Abramowitz and Stegun, 7.1.6), all of one sign; it is 1 from 6 on.
Value Doubles::erf(Value x) {
  Value c = within(abs(x), 0, 6);
  Value twice = mul(k(2), mul(c, c));
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  auto loop = scf::ForOp::create(b, number(1), number(200), number(1),
                                 ValueRange{c, c});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value at =
        arith::SIToFPOp::create(b, b.getF64Type(), loop.getInductionVar());
    Value term =
        mul(loop.getRegionIterArgs()[0], div(twice, fma(k(2), at, k(1))));
    scf::YieldOp::create(
        b, ValueRange{term, add(loop.getRegionIterArgs()[1], term)});
  }
  Value power = exp(arith::NegFOp::create(b, mul(c, c)));
  Value value = mul(mul(k(M_2_SQRTPI), power), loop.getResult(1));
  return withSignOf(value, x);
}

} // namespace

/// The instruction, rounded to the nearest; a generic root would be looked for
/// in libdevice.
static Value squareRoot(math::SqrtOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  bool isWide = op.getType().isF64();
  auto name =
      b.getStringAttr(isWide ? "llvm.nvvm.sqrt.rn.d" : "llvm.nvvm.sqrt.rn.f");
  return LLVM::CallIntrinsicOp::create(b, op.getType(), name, op.getOperand())
      .getResult(0);
}

void nax::expandMath(gpu::GPUModuleOp module) {
  SmallVector<Operation *> functions;
  SmallVector<math::SqrtOp> roots;
  module.walk([&](Operation *op) {
    if (auto root = dyn_cast<math::SqrtOp>(op))
      roots.push_back(root);
    if (isa<math::ExpOp, math::LogOp, math::SinOp, math::CosOp, math::TanhOp,
            math::ErfOp>(op) &&
        op->getResult(0).getType().isF64())
      functions.push_back(op);
  });
  for (math::SqrtOp root : roots) {
    root.replaceAllUsesWith(squareRoot(root));
    root.erase();
  }
  for (Operation *op : functions) {
    OpBuilder at(op);
    Doubles d(at, op->getLoc());
    Value x = op->getOperand(0);
    Value y = isa<math::ExpOp>(op)    ? d.exp(x)
              : isa<math::LogOp>(op)  ? d.log(x)
              : isa<math::SinOp>(op)  ? d.sinOrCos(x, 0)
              : isa<math::CosOp>(op)  ? d.sinOrCos(x, 1)
              : isa<math::TanhOp>(op) ? d.tanh(x)
                                      : d.erf(x);
    op->getResult(0).replaceAllUsesWith(y);
    op->erase();
  }
}
