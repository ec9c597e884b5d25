//===- CutLoop.cpp - chunks of a loop over elements -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "CutLoop.h"

#include "KernelBuilder.h"

#include "nax/Conversion/Touched.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace nax;

namespace {

/// Operations in a chunk that is worth handing to another thread, and what a
/// call of libm counts for.
constexpr int64_t kGrain = 1 << 16, kCall = 32;
/// Dimensions whose elements are the rows: a batch and its positions.
constexpr unsigned kRowDims = 2;

unsigned rowDims(linalg::GenericOp op) {
  return std::min(op.getNumLoops(), kRowDims);
}

/// Each buffer is a memref.view of the workspace by now, and those that one
/// loop touches lie apart.
Value bufferOf(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>()) {
    if (isa<memref::ViewOp>(view))
      return value;
    value = view.getViewSource();
  }
  return value;
}

int64_t operationsOf(linalg::GenericOp op) {
  int64_t count = 0;
  for (Operation &inner : op.getBody()->without_terminator())
    count += isa<math::MathDialect>(inner.getDialect()) ? kCall : 1;
  return std::max<int64_t>(count, 1);
}

} // namespace

bool nax::canCut(linalg::GenericOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumLoops() == 0 ||
      op.getNumLoops() != op.getNumParallelLoops())
    return false;
  for (OpOperand &out : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&out);
    for (unsigned dim = 0; dim < rowDims(op); ++dim)
      if (!map.isFunctionOfDim(dim))
        return false;
    for (OpOperand *in : op.getDpsInputOperands())
      if (bufferOf(in->get()) == bufferOf(out.get()) &&
          op.getMatchingIndexingMap(in) != map)
        return false;
  }
  // What the body itself loads is of other buffers, as above.
  bool isSafe = true;
  for (Operation &inner : *op.getBody())
    inner.walk([&](Operation *nested) {
      isSafe &= Touched::get(nested).writes.empty();
      for (Value operand : nested->getOperands())
        isSafe &= llvm::none_of(op.getDpsInits(), [&](Value out) {
          return bufferOf(operand) == bufferOf(out);
        });
    });
  return isSafe;
}

ParallelOp nax::cutLoop(OpBuilder &above, linalg::GenericOp op) {
  KernelBuilder b(op.getLoc(), op.getContext());
  b.setInsertionPoint(above.getInsertionBlock(), above.getInsertionPoint());
  Value rows = b.index(1), inner;
  Value work = b.index(operationsOf(op));
  auto sizes = cast<linalg::LinalgOp>(op.getOperation());
  for (auto [dim, range] :
       llvm::enumerate(sizes.createLoopRanges(b, op.getLoc()))) {
    Value size = getValueOrCreateConstantIndexOp(b, op.getLoc(), range.size);
    work = b.mul(work, size);
    if (dim < rowDims(op))
      rows = b.mul(rows, inner = size);
  }
  Value wanted = b.add(b.div(work, b.index(kGrain)), 1);
  Value chunks = b.min(b.min(wanted, b.index(kMaxChunks)), rows);
  Value count =
      arith::IndexCastOp::create(b, b.getI64Type(), chunks).getResult();
  auto loop = ParallelOp::create(b, count);

  Operation *end = loop.getBody().front().getTerminator();
  op->moveBefore(end);
  IRRewriter rewriter(op);
  auto loops = *linalg::linalgOpToLoops(rewriter, op);
  rewriter.eraseOp(op);
  auto outermost = cast<scf::ForOp>(loops.front());
  auto last =
      cast<scf::ForOp>(loops[std::min<size_t>(kRowDims, loops.size()) - 1]);
  b.setInsertionPoint(outermost);
  auto [from, to] = b.share(rows, b.toIndex(loop.getChunk()), chunks);
  b.loop(from, to, 1, [&](Value row) {
    if (last != outermost) {
      outermost.getInductionVar().replaceAllUsesWith(b.div(row, inner));
      row = b.rem(row, inner);
    }
    last.getInductionVar().replaceAllUsesWith(row);
    Block *block = b.getInsertionBlock();
    block->getOperations().splice(
        b.getInsertionPoint(), last.getBody()->getOperations(),
        last.getBody()->begin(), std::prev(last.getBody()->end()));
  });
  outermost.erase();
  return loop;
}
