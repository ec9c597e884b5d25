//===- Attention.cpp - verifiers from read to mixed values ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../Rules.h"

using namespace mlir;
using namespace nax;
using namespace nax::checks;

LogicalResult ReadOp::verify() {
  Described x(getX());
  if (failed(obey(*this, rule::read(describe(getAxis()), x))) ||
      failed(verifyData(*this, {}, getAxis(), getX().getType(), {})))
    return failure();
  nax::TensorType type = getX().getType();
  AxisAttr read = AxisAttr::getRead(getAxis());
  // What was rotated by the positions of T is rotated by those of Read<T>.
  KindAttr kind = type.getKind();
  if (type.is(Is::rotated) && kind.getA() == getAxis())
    kind = KindAttr::getRotated(read, kind.getB(), kind.getRope());
  return expectResult(*this,
                      Wanted(replaced(type.getAxes(), getAxis(), read),
                             type.getElementType(), kind, type.getWhole()));
}

/// What scores of `q` against `k` are; nothing after an error.
static std::optional<Wanted> verifyScores(Operation *op,
                                          TypedValue<nax::TensorType> q,
                                          TypedValue<nax::TensorType> k,
                                          AxisAttr over) {
  Described qInfo(q), kInfo(k);
  if (failed(obey(op, rule::scores(describe(over), qInfo, kInfo))))
    return std::nullopt;

  // The rule has made sure that there is exactly one of each.
  nax::TensorType qType = q.getType(), kType = k.getType();
  AxisAttr query = *llvm::find_if(qType.getAxes(), [&](AxisAttr axis) {
    return axis.isSequence() && !kType.has(axis);
  });
  AxisAttr key = *llvm::find_if(kType.getAxes(), [&](AxisAttr axis) {
    return axis.isRead() && !qType.has(axis);
  });
  return Wanted(less(joined(qType.getAxes(), kType.getAxes()), over),
                qType.getElementType(), KindAttr::getScores(query, key),
                joinedWhole(qType, kType));
}

LogicalResult ScoresOp::verify() {
  std::optional<Wanted> type = verifyScores(*this, getQ(), getK(), getOver());
  if (!type || failed(obey(*this, rule::scale_of(describe(getOver()),
                                                 getScale().convertToDouble()))))
    return failure();
  return expectResult(*this, *type);
}

/// `type` with one more thing done to its scores.
static Wanted withState(const Wanted &type, uint32_t states,
                        AxisAttr whole = {}) {
  KindAttr kind = type.kind;
  return type
      .withKind(KindAttr::getScores(kind.getA(), kind.getB(),
                                    kind.getStates() | states))
      .withWhole(type.whole ? type.whole : whole);
}

LogicalResult SoftcapOp::verify() {
  if (failed(obey(*this, rule::softcap(Described(getS())))) ||
      failed(verifyConstant(*this, "cap", getCap(), /*positive=*/true)))
    return failure();
  return expectResult(*this, withState(getS().getType(), Capped));
}

LogicalResult BiasOp::verify() {
  if (failed(obey(*this, rule::bias(Described(getS()), Described(getB())))))
    return failure();
  return expectResult(
      *this, withState(getS().getType(), Biased, getB().getType().getWhole()));
}

LogicalResult AlibiOp::verify() {
  auto heads = describe(getHeads());
  if (failed(obey(*this,
                  rule::alibi(heads.data(), heads.size(), Described(getS())))))
    return failure();
  return expectResult(*this, withState(getS().getType(), Biased));
}

LogicalResult CausalMaskOp::verify() {
  if (failed(obey(*this, rule::causal_mask(Described(getS())))))
    return failure();
  return expectResult(*this, withState(getS().getType(), Masked | Causally));
}

/// Whether a mask hides, from whoever asks, what a buffer says of each row. A
/// buffer joined by `or` lets more be read.
static bool hidesByRow(Value mask, bool andJoins = true) {
  Operation *op = mask.getDefiningOp();
  if (!op)
    return false;
  if (isa<MaskNotOp>(op))
    return hidesByRow(op->getOperand(0), !andJoins);
  if (andJoins ? isa<MaskAndOp>(op) : isa<MaskOrOp>(op))
    return hidesByRow(op->getOperand(0), andJoins) ||
           hidesByRow(op->getOperand(1), andJoins);
  if (!isa<AllowedWhereTrueOp, BlockedWhereTrueOp>(op))
    return false;
  auto type = cast<nax::TensorType>(mask.getType());
  return !type.getKind().getA() &&
         llvm::any_of(type.getAxes(), [](AxisAttr axis) {
           return rule::rows(describe(axis));
         });
}

/// Whether what rope rotated was counted from where the row begins.
static LogicalResult verifyPositions(Operation *op, nax::TensorType key,
                                     Value mask) {
  if (!key.is(Is::rotated))
    return success();
  AxisAttr sequence = key.getKind().getA().getBase();
  if (sequence.getData() != AxisData::all || !hidesByRow(mask))
    return success();
  return obey(op, rule::padding(describe(sequence)));
}

LogicalResult MaskOp::verify() {
  if (failed(obey(*this, rule::mask(Described(getS()), Described(getM())))))
    return failure();
  // Scores say no more what they were made of.
  Value scores = getS();
  while (Operation *op = scores.getDefiningOp()) {
    if (auto made = dyn_cast<ScoresOp>(op)) {
      if (failed(verifyPositions(*this, made.getK().getType(), getM())))
        return failure();
      break;
    }
    if (!isa<SoftcapOp, BiasOp, AlibiOp, CausalMaskOp, MaskOp>(op))
      break;
    scores = op->getOperand(0);
  }
  return expectResult(
      *this, withState(getS().getType(), Masked, getM().getType().getWhole()));
}

/// Whether softmax along `along` of a value of type `type` has the data that it
/// needs to hide what is not there.
static LogicalResult verifySoftmaxData(Operation *op, Value data,
                                       AxisAttr along, const Wanted &type) {
  if (!along.isRead() && !along.isSequence()) {
    if (data)
      return op->emitOpError("expects no data, since ")
             << along.getLabel() << " is no sequence";
    return success();
  }
  if (failed(verifyData(
          op, data, along, type,
          {AxisData::ragged, AxisData::packed, AxisData::left_padded,
           AxisData::continued})))
    return failure();
  // Documents are compared between the one who asks and what is read.
  if (data && along.getBaseData() == AxisData::packed &&
      !llvm::is_contained(type.axes, along.getBase()))
    return op->emitOpError("expects what reads the packed ")
           << along.getBase().getName() << " to stand on it";
  return success();
}

LogicalResult SoftmaxOp::verify() {
  nax::TensorType type = getX().getType();
  if (failed(obey(*this,
                  rule::softmax(describe(getAlong()), Described(getX())))) ||
      failed(verifySoftmaxData(*this, getData(), getAlong(), type)))
    return failure();
  return expectResult(*this,
                      Wanted(type).withKind(KindAttr::getWeights(getAlong())));
}

LogicalResult ValuesOp::verify() {
  if (failed(obey(*this, rule::as_values(Described(getX())))))
    return failure();
  return expectResult(*this, Wanted(getX().getType()).withKind({}));
}

//===----------------------------------------------------------------------===//
// Made by nax-fuse-attention
//===----------------------------------------------------------------------===//

/// What the weights of a fused attention are, step by step as its parts would
/// have it; nothing after an error.
template <typename OpTy>
static std::optional<Wanted> verifyWeights(OpTy op) {
  std::optional<Wanted> scores =
      verifyScores(op, op.getQ(), op.getK(), op.getOver());
  if (!scores || failed(verifyConstant(op, "scale", op.getScale())))
    return {};
  Wanted type = *scores;
  if (std::optional<APFloat> cap = op.getCap()) {
    if (failed(verifyConstant(op, "cap", *cap, /*positive=*/true)))
      return {};
    type = withState(type, Capped);
  }
  if (std::optional<ArrayRef<AxisAttr>> heads = op.getAlibi()) {
    auto infos = describe(*heads);
    if (failed(
            obey(op, rule::alibi(infos.data(), infos.size(), Described(type)))))
      return {};
    type = withState(type, Biased);
  }
  if (auto bias = op.getBias()) {
    if (failed(obey(op, rule::bias(Described(type), Described(bias)))))
      return {};
    type = withState(type, Biased, bias.getType().getWhole());
  }
  if (op.getCausal()) {
    if (failed(obey(op, rule::causal_mask(Described(type)))))
      return {};
    type = withState(type, Masked | Causally);
  }
  if (auto mask = op.getMask()) {
    if (failed(obey(op, rule::mask(Described(type), Described(mask)))) ||
        failed(verifyPositions(op, op.getK().getType(), mask)))
      return {};
    type = withState(type, Masked, mask.getType().getWhole());
  }
  if (failed(
          obey(op, rule::softmax(describe(op.getAlong()), Described(type)))) ||
      failed(verifySoftmaxData(op, op.getData(), op.getAlong(), type)))
    return {};
  return type.withKind(KindAttr::getWeights(op.getAlong()));
}

LogicalResult AttentionWeightsOp::verify() {
  std::optional<Wanted> weights = verifyWeights(*this);
  return failure(!weights || failed(expectResult(*this, *weights)));
}

LogicalResult AttentionOp::verify() {
  std::optional<Wanted> weights = verifyWeights(*this);
  if (!weights)
    return failure();
  rule::Ax along = describe(getAlong());
  if (failed(obey(
          *this, rule::dot(&along, 1, Described(*weights), Described(getV())))))
    return failure();

  nax::TensorType values = getV().getType();
  AxisAttr asks =
      *llvm::find_if(getQ().getType().getAxes(), [&](AxisAttr axis) {
        return axis.isSequence() && !getK().getType().has(axis);
      });
  if (values.has(asks))
    return emitOpError("expects the same values for each position of ")
           << asks.getName() << ", but got " << values.getLabel();
  return expectResult(
      *this, Wanted(less(joined(weights->axes, values.getAxes()), getAlong()),
                    weights->elementType, {}, joinedWhole(*weights, values)));
}
