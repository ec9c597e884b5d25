//===- ShareBuffers.cpp - a loop writes where it has read -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Where a loop's operand is read for the last time and its result is of the
// same shape, both may be one buffer, if each element is read before it is
// written: sums with a residual, also at the end of a dot, activations,
// rotations, norms.
//
//===----------------------------------------------------------------------===//

#include "Lifetimes.h"

#include "nax/Conversion/Passes.h"
#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace nax {
#define GEN_PASS_DEF_SHAREBUFFERS
#include "nax/Conversion/Passes.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

/// What an operand of a loop touches: `part` of `whole`, or all of it.
struct Access {
  Value whole, root;
  memref::SubViewOp part;
  AffineMap map; ///< from the loop's numbers to dimensions; null: rows

  /// Of what is not read in the place of the result.
  static Access elsewhere(Value operand) {
    return get(operand, AffineMap::get(operand.getContext()));
  }

  static Access get(Value operand, AffineMap map) {
    auto part = operand.getDefiningOp<memref::SubViewOp>();
    return {part ? part.getSource() : operand, rootOf(operand), part, map};
  }

  /// What made the buffer, if `whole` is all of it.
  memref::AllocOp alloc() const {
    Value value = whole;
    while (Operation *view = value.getDefiningOp()) {
      if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(view))
        return dyn_cast<memref::AllocOp>(view);
      value = view->getOperand(0);
    }
    return {};
  }
};

/// What a loop reads and writes.
struct Loop {
  Operation *op;
  SmallVector<Access> ins, outs;

  /// Nothing in it if the loop may touch an element more than once.
  static Loop get(Operation *op) {
    Loop loop{op, {}, {}};
    if (auto norm = dyn_cast<kernel::NormOp>(op)) {
      loop.ins = {Access::get(norm.getX(), {})};
      loop.outs = {Access::get(norm.getOut(), {})};
    }
    if (auto dot = dyn_cast<kernel::DotOp>(op)) {
      for (Value extra : dot.getExtras())
        loop.ins.push_back(cast<MemRefType>(extra.getType()).getRank() == 2
                               ? Access::get(extra, {})
                               : Access::elsewhere(extra));
      loop.ins.push_back(Access::elsewhere(dot.getA()));
      loop.ins.push_back(Access::elsewhere(dot.getPanels()));
      loop.outs = {Access::get(dot.getC(), {})};
    }
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || generic.getNumLoops() != generic.getNumParallelLoops())
      return loop;
    for (OpOperand *in : generic.getDpsInputOperands())
      if (isa<MemRefType>(in->get().getType()))
        loop.ins.push_back(
            Access::get(in->get(), generic.getMatchingIndexingMap(in)));
    for (OpOperand &out : generic.getDpsInitsMutable())
      loop.outs.push_back(
          Access::get(out.get(), generic.getMatchingIndexingMap(&out)));
    return loop;
  }
};

/// Whether each run of the body reads of `in` the element that it writes of
/// `out` and no other.
bool sameElements(const Access &in, const Access &out) {
  if (in.map != out.map || (in.map && !in.map.isPermutation()) ||
      in.whole.getType() != out.whole.getType() || !in.part != !out.part)
    return false;
  memref::SubViewOp x = in.part, y = out.part;
  return !x || (x.getMixedOffsets() == y.getMixedOffsets() &&
                x.getMixedSizes() == y.getMixedSizes() &&
                x.getMixedStrides() == y.getMixedStrides());
}

/// Whether the two are different parts, such as the halves of a rotation.
bool disjoint(const Access &in, const Access &out) {
  memref::SubViewOp x = in.part, y = out.part;
  if (!x || !y || in.whole.getType() != out.whole.getType())
    return false;
  for (auto [a, b, n, m, stride, other] : llvm::zip(
           x.getStaticOffsets(), y.getStaticOffsets(), x.getStaticSizes(),
           y.getStaticSizes(), x.getStaticStrides(), y.getStaticStrides())) {
    if (llvm::any_of(ArrayRef<int64_t>{a, b, n, m, stride, other},
                     ShapedType::isDynamic) ||
        stride != other)
      continue;
    if ((a - b) % stride != 0 || a + n * stride <= b || b + m * stride <= a)
      return true;
  }
  return false;
}

struct ShareBuffers final : nax::impl::ShareBuffersBase<ShareBuffers> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (!func.getName().ends_with(".body") || func.isExternal())
        continue;
      for (Operation &op : func.getBody().front()) {
        Loop loop = Loop::get(&op);
        for (const Access &in : loop.ins)
          if (llvm::any_of(loop.outs, [&](const Access &out) {
                return share(loop, in, out);
              }))
            break; // what the loop touches has changed
      }
    }
  }

  /// Makes one buffer of those of `in` and `out`, if that changes nothing.
  static bool share(const Loop &loop, const Access &in, const Access &out) {
    Block *block = loop.op->getBlock();
    memref::AllocOp from = in.alloc(), to = out.alloc();
    if (!from || from == to || !sameElements(in, out) ||
        Lifetime::get(from, block).last != loop.op || !mayAlias(loop, in, out))
      return false;
    if (!to)
      return useResult(loop, from, out);
    if (Lifetime::get(to, block).first != loop.op)
      return false;
    if (from.getType() == to.getType() &&
        from.getDynamicSizes() == to.getDynamicSizes())
      to.replaceAllUsesWith(from.getResult());
    else if (out.whole == to && isBeforeUsers(in.whole, to))
      to.replaceAllUsesWith(in.whole);
    else
      return false;
    to.erase();
    return true;
  }

  /// The same where the loop writes a result of the function: what it reads is
  /// kept there from the start.
  static bool useResult(const Loop &loop, memref::AllocOp from,
                        const Access &out) {
    auto view = out.whole.getDefiningOp<memref::ViewOp>();
    if (!isa<BlockArgument>(view ? view.getSource() : out.whole) ||
        out.whole.getType() != from.getType() ||
        Lifetime::get(out.root, loop.op->getBlock()).first != loop.op ||
        !isBeforeUsers(out.whole, from))
      return false;
    from.replaceAllUsesWith(out.whole);
    from.erase();
    return true;
  }

  /// Whether every element of the buffer of `in` is read before the one in its
  /// place in the buffer of `out` is written.
  static bool mayAlias(const Loop &loop, const Access &in, const Access &out) {
    for (const Access &read : loop.ins)
      for (const Access &written : loop.outs)
        if (read.root == in.root && written.root == out.root &&
            !sameElements(read, written) && !disjoint(read, written))
          return false;
    // Where the body itself loads and stores is not known.
    bool known = true;
    for (Region &region : loop.op->getRegions())
      region.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          known &= rootOf(operand) != in.root && rootOf(operand) != out.root;
      });
    return known;
  }

  static bool isBeforeUsers(Value value, memref::AllocOp alloc) {
    Operation *def = value.getDefiningOp();
    return !def || llvm::all_of(alloc->getUsers(), [&](Operation *user) {
      Operation *here = def->getBlock()->findAncestorOpInBlock(*user);
      return here && def->isBeforeInBlock(here);
    });
  }
};

} // namespace
