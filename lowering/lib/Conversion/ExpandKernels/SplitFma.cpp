//===- SplitFma.cpp - products and sums where there is no FMA -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A processor without the instruction gets a call of libm for each lane. Each
// of the two results is rounded, which every use of an FMA in nax bears.
//
//===----------------------------------------------------------------------===//

#include "nax/Conversion/ExpandKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace nax {
#define GEN_PASS_DEF_SPLITFMA
#include "nax/Conversion/ExpandKernels.h.inc"
} // namespace nax

using namespace mlir;

namespace {

struct SplitFma final : nax::impl::SplitFmaBase<SplitFma> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (!isa<vector::FMAOp, math::FmaOp>(op))
        return;
      OpBuilder b(op);
      Value product = arith::MulFOp::create(b, op->getLoc(), op->getOperand(0),
                                            op->getOperand(1));
      Value sum =
          arith::AddFOp::create(b, op->getLoc(), product, op->getOperand(2));
      op->getResult(0).replaceAllUsesWith(sum);
      op->erase();
    });
  }
};

} // namespace
