//===- CheckAttention.cpp - mistakes that no type shows -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Plain numbers do not say what made them. Here the operations that did are
// followed back from scores, softmax and bias, as far as each element comes
// from one element.
//
//===----------------------------------------------------------------------===//

#include "../IR/Rules.h"

#include "nax/Dialect/Nax/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

namespace nax {
#define GEN_PASS_DEF_CHECKATTENTION
#include "nax/Dialect/Nax/Transforms/Passes.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;
using namespace nax::checks;

/// From here on a number added to scores hides what it is added to.
static constexpr double large = 1e3;

namespace {

/// A value on the way back from another, which is `factor` times it (and
/// perhaps more or less by a number).
struct Source {
  Value value;
  double factor = 1;

  template <typename OpTy>
  OpTy made() const {
    return value.getDefiningOp<OpTy>();
  }
};

} // namespace

static TypedValue<nax::TensorType> asTensor(Value value) {
  return cast<TypedValue<nax::TensorType>>(value);
}

/// One step back through what moves elements or multiplies them by a number;
/// false where there is none. `offsets` are stepped over where they don't
/// matter.
static bool stepBack(Source &source, bool offsets) {
  Operation *op = source.value.getDefiningOp();
  if (auto scale = dyn_cast_or_null<ScaleOp>(op))
    source.factor *= scale.getBy().convertToDouble();
  else if (isa_and_nonnull<NegOp>(op))
    source.factor = -source.factor;
  else if (!isa_and_nonnull<RopeOp, SplitOp, MergeOp, ReadOp, CachedOp, SpreadOp,
                            PartOp, CastOp, DropoutOp>(op) &&
           !(offsets && isa_and_nonnull<OffsetOp>(op)))
    return false;
  source.value = op->getOperand(0);
  return true;
}

/// The factor of queries or keys over what they were before.
static double factorOf(Value value) {
  Source source{value};
  while (stepBack(source, /*offsets=*/false))
    ;
  return source.factor;
}

/// The projection that made a query or key, if a dot did, through what norms
/// and biases it got since.
static DotOp projectionOf(Value value) {
  for (Source source{value};;) {
    if (auto dot = source.made<DotOp>())
      return dot;
    Operation *op = source.value.getDefiningOp();
    if (isa_and_nonnull<AddOp, RmsNormOp, LayerNormOp>(op))
      source.value = op->getOperand(0);
    else if (!stepBack(source, /*offsets=*/true))
      return {};
  }
}

static bool contains(AxisAttr whole, AxisAttr part) {
  return llvm::any_of(whole.getParts(), [&](AxisAttr inner) {
    return inner == part || contains(inner, part);
  });
}

/// The composite axes of the module that have `part` in them: what heads were
/// split from.
static SmallVector<AxisAttr> wholesOf(ModuleOp module, AxisAttr part) {
  llvm::SetVector<AxisAttr> found;
  auto collect = [&](Type type) {
    if (auto tensor = dyn_cast<nax::TensorType>(type))
      for (AxisAttr axis : tensor.getAxes())
        if (contains(axis, part))
          found.insert(axis);
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResultTypes(), collect);
    if (auto function = dyn_cast<func::FuncOp>(op))
      llvm::for_each(function.getArgumentTypes(), collect);
  });
  return found.takeVector();
}

static bool isRoot(double factor, int64_t size) {
  return size > 0 &&
         std::abs(std::abs(factor) * std::sqrt(double(size)) - 1) < 1e-6;
}

/// The axes of a model's width beside the `d` of one head. What a dot over more
/// axes of smaller size makes is no narrower than a head.
static SmallVector<AxisAttr> widths(ScoresOp scores) {
  AxisAttr d = scores.getOver();
  SmallVector<AxisAttr> axes = wholesOf(scores->getParentOfType<ModuleOp>(), d);
  for (Value side : {scores.getQ(), scores.getK()}) {
    DotOp dot = projectionOf(side);
    if (!dot || dot.getOver().size() != 1)
      continue;
    auto x = asTensor(dot.getX()).getType(), y = asTensor(dot.getY()).getType();
    AxisAttr over = dot.getOver()[0];
    // Heads apart, as where a projection of values is absorbed, are no width.
    bool apart = llvm::any_of(x.getAxes(), [&](AxisAttr axis) {
      return axis != over && y.has(axis);
    });
    if (!apart && over.getStaticSize() > d.getStaticSize())
      axes.push_back(over);
  }
  return axes;
}

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

static rule::Text checkScores(ScoresOp scores) {
  AxisAttr d = scores.getOver();
  int64_t size = d.getStaticSize();
  double scale = scores.getScale().convertToDouble();
  double query = factorOf(scores.getQ()), key = factorOf(scores.getK());
  SmallVector<AxisAttr> wide = widths(scores);
  wide.push_back(d);
  if (isRoot(scale, size)) {
    std::pair<double, StringRef> sides[] = {
        {query, "query was"},
        {key, "key was"},
        {query * key, "query and key together were"}};
    for (auto [factor, side] : sides)
      for (AxisAttr axis : llvm::reverse(wide))
        if (axis.getStaticSize() > 1 && isRoot(factor, axis.getStaticSize()))
          return rule::scaled_before(describe(d), std::string_view(side),
                                     describe(axis));
    return {};
  }
  // 1/D is the scale of another school, though it may be a root of a width.
  double whole = scale * query * key;
  if (isRoot(whole, size) || isRoot(whole, size * size))
    return {};
  for (AxisAttr axis : llvm::reverse(wide))
    if (axis.getStaticSize() > 1 && isRoot(1 / scale, axis.getStaticSize()))
      return rule::scaled_by_inverse(describe(d), describe(axis),
                                     axis.getStaticSize());
  for (AxisAttr axis : wide)
    if (axis.getStaticSize() > 1 && isRoot(whole, axis.getStaticSize()))
      return rule::scaled_by_width(describe(d), describe(axis),
                                   axis.getStaticSize());
  return {};
}

static rule::Text checkSoftmax(SoftmaxOp softmax) {
  AxisAttr along = softmax.getAlong();
  auto x = softmax.getX();
  if (x.getType().is(Is::scores))
    return {};
  Source source{x};
  while (true) {
    if (auto values = source.made<ValuesOp>()) {
      Source weights{values.getX()};
      while (stepBack(weights, /*offsets=*/false))
        ;
      auto before = weights.made<SoftmaxOp>();
      if (before && before.getAlong() == along)
        return rule::softened_before(describe(along), Described(x));
      return {};
    }
    Operation *op = source.value.getDefiningOp();
    if (isa_and_nonnull<LogitsOp, AddOp>(op))
      source.value = op->getOperand(0);
    else if (!stepBack(source, /*offsets=*/true))
      break;
  }
  auto dot = source.made<DotOp>();
  if (!dot || source.factor != 1 || !(along.isSequence() || along.isRead()))
    return {};
  auto p = asTensor(dot.getX()), q = asTensor(dot.getY());
  auto asks = [](nax::TensorType one, nax::TensorType other) {
    return llvm::any_of(one.getAxes(), [&](AxisAttr axis) {
      return axis.isSequence() && !other.has(axis);
    });
  };
  if (p.getType().has(along))
    std::swap(p, q);
  if (!q.getType().has(along) || p.getType().has(along) ||
      !asks(p.getType(), q.getType()) || dot.getOver().empty() ||
      dot.getOver()[0].getBase().isSequence())
    return {};
  return rule::unscaled(describe(along), Described(x), Described(p),
                        Described(q), describe(dot.getOver()[0]));
}

static rule::Text checkBias(BiasOp bias) {
  Source source{bias.getB()};
  while (true) {
    auto cast = source.made<CastOp>();
    if (cast && asTensor(cast.getX()).getType().getElementType().isInteger())
      return std::abs(source.factor) < large
                 ? rule::Text()
                 : rule::bias_of_booleans(Described(bias.getB()),
                                          Described(cast.getX()));
    if (!stepBack(source, /*offsets=*/true))
      return {};
  }
}

namespace {

struct CheckAttention final : nax::impl::CheckAttentionBase<CheckAttention> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      rule::Text sentence;
      if (auto scores = dyn_cast<ScoresOp>(op))
        sentence = checkScores(scores);
      else if (auto softmax = dyn_cast<SoftmaxOp>(op))
        sentence = checkSoftmax(softmax);
      else if (auto bias = dyn_cast<BiasOp>(op))
        sentence = checkBias(bias);
      if (!sentence)
        return;
      mlir::emitError(op->getLoc(), StringRef(sentence.view()));
      signalPassFailure();
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
