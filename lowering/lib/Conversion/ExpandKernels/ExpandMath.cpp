//===- ExpandMath.cpp - math functions become polynomials -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Conversion/ExpandKernels.h"
#include "nax/Conversion/MathBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace nax {
#define GEN_PASS_DEF_EXPANDMATH
#include "nax/Conversion/ExpandKernels.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

using Emit = Value (*)(OpBuilder &, Location, Value);

/// op(x)  =>  emit(x), for f32.
template <typename Op, Emit emit>
struct Expand final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    rewriter.replaceOp(op, emit(rewriter, op.getLoc(), op.getOperand()));
    return success();
  }
};

struct ExpandMath final : nax::impl::ExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<Expand<math::ExpOp, emitExp>, Expand<math::Exp2Op, emitExp2>,
                 Expand<math::LogOp, emitLog>, Expand<math::TanhOp, emitTanh>,
                 Expand<math::ErfOp, emitErf>>(&getContext());
    // No folding: the result is the same arithmetic at compile and run time.
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
