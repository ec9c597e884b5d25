//===- Norm.cpp - normalise rows ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Sums are made in f64: a row of large numbers that hardly differ keeps its
// variance. The mean is subtracted as two f32, its upper and its lower half.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace nax;

namespace {

/// Numbers in a chunk that is worth handing to another thread.
constexpr int64_t kGrain = 1 << 14;

struct Norm {
  KernelBuilder &b;
  Value x, gain, shift, out;
  int64_t c;
  double eps;
  bool isLayer, onePlus;

  /// One row, sixteen numbers at a time, then those that are left.
  void eachPart(ValueRange init, Values &carried,
                llvm::function_ref<Values(Value, int64_t, ValueRange)> body) {
    int64_t full = c / kLanes * kLanes;
    carried = Values(init);
    if (full)
      carried = b.loop(b.index(0), b.index(full), kLanes, carried,
                       [&](Value at, ValueRange values) {
                         return body(at, kLanes, values);
                       });
    if (full < c)
      carried = body(b.index(full), c - full, carried);
  }

  Value widen(Value value) {
    return arith::ExtFOp::create(b, b.vectorOf(b.getF64Type()), value);
  }
  Value narrow(Value value) {
    return arith::TruncFOp::create(b, b.getF32Type(), value);
  }
  Value f64(double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }

  /// The sum over a row of what `term` makes of its numbers, divided by C.
  /// Lanes past the end are 0 before and have to be 0 after `term`.
  Value meanOf(Value row, llvm::function_ref<Value(Value, int64_t)> term) {
    VectorType type = b.vectorOf(b.getF64Type());
    Value zero = arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, b.getF64FloatAttr(0).getValue()));
    Values sum;
    eachPart(zero, sum, [&](Value at, int64_t lanes, ValueRange carried) {
      Value part = widen(b.loadLanes(x, {row, at}, lanes));
      return Values{b.addf(carried[0], term(part, lanes))};
    });
    Value total = vector::ReductionOp::create(
        b, vector::CombiningKind::ADD, sum[0], arith::FastMathFlags::reassoc);
    return b.divf(total, f64(c));
  }

  void row(Value row) {
    Value upper, lower, mean;
    if (isLayer) {
      mean = meanOf(row, [](Value part, int64_t) { return part; });
      Value high = narrow(mean);
      Value back = arith::ExtFOp::create(b, b.getF64Type(), high);
      upper = b.broadcast(high);
      lower = b.broadcast(narrow(b.subf(mean, back)));
    }
    Value square = meanOf(row, [&](Value part, int64_t lanes) {
      if (isLayer) {
        part = b.subf(part, b.broadcast(mean));
        if (lanes < kLanes) {
          Value there = vector::ConstantMaskOp::create(
              b, b.vectorOf(b.getI1Type()), ArrayRef<int64_t>{lanes});
          Value zero =
              arith::ConstantOp::create(b, b.getZeroAttr(part.getType()));
          part = arith::SelectOp::create(b, there, part, zero);
        }
      }
      return b.mulf(part, part);
    });
    Value root = math::SqrtOp::create(b, b.addf(square, f64(eps)));
    Value factor = b.broadcast(narrow(b.divf(f64(1.0), root)));

    Values none;
    eachPart({}, none, [&](Value at, int64_t lanes, ValueRange) {
      Value y = b.loadLanes(x, {row, at}, lanes);
      if (isLayer)
        y = b.subf(b.subf(y, upper), lower);
      Value g = b.loadLanes(gain, at, lanes);
      if (onePlus)
        g = b.addf(g, b.splat(1.0));
      y = b.mulf(y, factor);
      y = shift ? b.fma(y, g, b.loadLanes(shift, at, lanes)) : b.mulf(y, g);
      b.storeLanes(y, out, {row, at}, lanes);
      return Values();
    });
  }
};

} // namespace

void nax::emitNorm(KernelBuilder &b, kernel::NormOp op, ValueRange args) {
  bool hasShift = bool(op.getShift());
  int64_t c = cast<MemRefType>(op.getX().getType()).getDimSize(1);
  Norm norm{b,
            args[0],
            args[1],
            hasShift ? args[2] : Value(),
            args[hasShift ? 3 : 2],
            c,
            op.getEps().convertToDouble(),
            op.getKind() == "layer",
            op.getOnePlus()};

  Value rows = b.dim(norm.x, 0);
  Value wanted = b.add(b.div(b.mul(rows, c), b.index(kGrain)), 1);
  Value chunks = b.min(b.min(wanted, b.index(kMaxChunks)), rows);
  b.parallel(chunks, [&](Value chunk) {
    auto [from, to] = b.share(rows, chunk, chunks);
    b.loop(from, to, 1, [&](Value row) { norm.row(row); });
  });
}
