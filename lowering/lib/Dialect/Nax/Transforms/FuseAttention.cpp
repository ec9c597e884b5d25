//===- FuseAttention.cpp - scores, softmax and dot become one -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Works from each softmax upwards to its scores and downwards to its uses. All
// operations on the way are pure, so a step that others use as well is simply
// computed twice; what nobody uses any more is erased.
//
//===----------------------------------------------------------------------===//

#include "nax/Dialect/Nax/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace nax {
#define GEN_PASS_DEF_FUSEATTENTION
#include "nax/Dialect/Nax/Transforms/Passes.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

/// What lies between the queries and the weights. Masks stand in the order of
/// the program.
struct Chain {
  SoftmaxOp softmax;
  ScoresOp scores;
  FloatAttr cap;
  ArrayAttr alibi;
  bool causal = false;
  Value bias;
  SmallVector<Value> masks;
};

} // namespace

/// Follows the operand of `softmax` up to its scores. Fails if something else
/// than the steps of attention made it, or they come in an order that
/// nax.attention, which caps, adds biases and masks, cannot express.
static FailureOr<Chain> match(SoftmaxOp softmax) {
  Chain chain;
  chain.softmax = softmax;
  // What was already met on the way up may only be preceded by less.
  enum Stage { Caps, Biases, Masks } stage = Masks;
  auto within = [&](Stage next) {
    bool ok = next <= stage;
    stage = next;
    return ok;
  };

  for (Value value = softmax.getX();;) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return failure();
    if (auto scores = dyn_cast<ScoresOp>(op)) {
      chain.scores = scores;
      std::reverse(chain.masks.begin(), chain.masks.end());
      return chain;
    }
    if (auto causal = dyn_cast<CausalMaskOp>(op)) {
      if (!within(Masks))
        return failure();
      chain.causal = true;
      value = causal.getS();
    } else if (auto mask = dyn_cast<MaskOp>(op)) {
      if (!within(Masks))
        return failure();
      chain.masks.push_back(mask.getM());
      value = mask.getS();
    } else if (auto bias = dyn_cast<BiasOp>(op)) {
      if (!within(Biases) || chain.bias || chain.alibi)
        return failure();
      chain.bias = bias.getB();
      value = bias.getS();
    } else if (auto alibi = dyn_cast<AlibiOp>(op)) {
      if (!within(Biases) || chain.bias || chain.alibi)
        return failure();
      chain.alibi = alibi.getHeadsAttr();
      value = alibi.getS();
    } else if (auto softcap = dyn_cast<SoftcapOp>(op)) {
      if (!within(Caps) || chain.cap)
        return failure();
      chain.cap = softcap.getCapAttr();
      value = softcap.getS();
    } else {
      return failure();
    }
  }
}

static nax::TensorType typeOf(Value value) {
  return cast<nax::TensorType>(value.getType());
}

/// The axes of `x`, then those that only `y` has.
static SmallVector<AxisAttr> unionOf(nax::TensorType x, nax::TensorType y) {
  SmallVector<AxisAttr> axes(x.getAxes());
  for (AxisAttr axis : y.getAxes())
    if (!x.has(axis))
      axes.push_back(axis);
  return axes;
}

/// One mask that is true where all of `masks` are; null if there are none.
static Value joinMasks(OpBuilder &builder, Location loc,
                       ArrayRef<Value> masks) {
  Value joined;
  for (Value mask : masks) {
    if (!joined) {
      joined = mask;
      continue;
    }
    nax::TensorType x = typeOf(joined), y = typeOf(mask);
    AxisAttr query =
        x.getKind().getA() ? x.getKind().getA() : y.getKind().getA();
    auto type =
        nax::TensorType::get(unionOf(x, y), x.getElementType(),
                             KindAttr::getMask(query, x.getKind().getB()),
                             x.getWhole() ? x.getWhole() : y.getWhole());
    joined = MaskAndOp::create(builder, loc, type, joined, mask);
  }
  return joined;
}

/// The dot's other operand if it mixes values by `weights` and nothing else;
/// null otherwise. Values that differ with the position that asks are no case
/// of nax.attention.
static Value valuesMixedBy(Value weights, OpOperand &use, AxisAttr asks,
                           AxisAttr along) {
  auto dot = dyn_cast<DotOp>(use.getOwner());
  if (!dot || dot.getOver() != ArrayRef(along))
    return {};
  Value other = use.getOperandNumber() == 0 ? dot.getY() : dot.getX();
  return other == weights || typeOf(other).has(asks) ? Value() : other;
}

static void eraseDead(RewriterBase &rewriter, Operation *op) {
  SmallVector<Operation *> worklist{op};
  while (!worklist.empty()) {
    Operation *dead = worklist.pop_back_val();
    if (!dead || !isOpTriviallyDead(dead))
      continue;
    // Once each, although one operation may make several operands.
    llvm::SetVector<Operation *> makers;
    for (Value operand : dead->getOperands())
      makers.insert(operand.getDefiningOp());
    rewriter.eraseOp(dead);
    for (Operation *maker : makers)
      if (maker && !llvm::is_contained(worklist, maker))
        worklist.push_back(maker);
  }
}

static void fuse(RewriterBase &rewriter, const Chain &chain) {
  SoftmaxOp softmax = chain.softmax;
  ScoresOp scores = chain.scores;
  Value weights = softmax.getResult();
  if (weights.use_empty())
    return eraseDead(rewriter, softmax);

  rewriter.setInsertionPoint(softmax);
  Location loc = rewriter.getFusedLoc({softmax.getLoc(), scores.getLoc()});
  Value mask = joinMasks(rewriter, loc, chain.masks);

  AxisAttr asks = typeOf(scores.getResult()).getKind().getA();
  Value materialised;
  for (OpOperand &use : llvm::make_early_inc_range(weights.getUses())) {
    if (Value values = valuesMixedBy(weights, use, asks, softmax.getAlong())) {
      auto dot = cast<DotOp>(use.getOwner());
      rewriter.setInsertionPoint(dot);
      Location all = rewriter.getFusedLoc(
          {softmax.getLoc(), scores.getLoc(), dot.getLoc()});
      auto attention = AttentionOp::create(
          rewriter, all, dot.getType(), scores.getQ(), scores.getK(), values,
          chain.bias, mask, softmax.getData(), scores.getOverAttr(),
          softmax.getAlongAttr(), scores.getScaleAttr(), chain.cap, chain.alibi,
          chain.causal ? rewriter.getUnitAttr() : UnitAttr());
      rewriter.replaceOp(dot, attention);
      continue;
    }
    if (!materialised) {
      rewriter.setInsertionPointAfter(softmax);
      materialised = AttentionWeightsOp::create(
          rewriter, loc, softmax.getType(), scores.getQ(), scores.getK(),
          chain.bias, mask, softmax.getData(), scores.getOverAttr(),
          softmax.getAlongAttr(), scores.getScaleAttr(), chain.cap, chain.alibi,
          chain.causal ? rewriter.getUnitAttr() : UnitAttr());
    }
    rewriter.modifyOpInPlace(use.getOwner(), [&] { use.set(materialised); });
  }
  eraseDead(rewriter, softmax);
}

namespace {

struct FuseAttention final : nax::impl::FuseAttentionBase<FuseAttention> {
  void runOnOperation() override {
    SmallVector<Chain> chains;
    getOperation()->walk([&](SoftmaxOp softmax) {
      if (FailureOr<Chain> chain = match(softmax); succeeded(chain))
        chains.push_back(*chain);
    });
    IRRewriter rewriter(&getContext());
    for (const Chain &chain : chains)
      fuse(rewriter, chain);
  }
};

} // namespace
