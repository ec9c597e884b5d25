//===- Causality.cpp - what an element may depend on ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Causality.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nax;
using namespace nax::causality;

Stand::Stand(Type type, AxisAttr sequence) {
  auto tensor = dyn_cast<nax::TensorType>(type);
  if (!tensor)
    return;
  for (AxisAttr axis : tensor.getAxes()) {
    onQuery |= axis == sequence;
    onRead |= axis.isRead() && axis.getBase() == sequence;
    onNext |= axis.isNext() && axis.getBase() == sequence;
  }
}

State causality::stateOfArgument(Type type, AxisAttr sequence, bool isData) {
  State state;
  // Lengths, starts and documents say which positions there are, not what
  // stands on them.
  if (isData)
    return state;
  Stand stand(type, sequence);
  state.bounds = (stand.onQuery ? UpToQuery : 0) |
                 (stand.onRead ? UpToRead : 0) | (stand.onNext ? UpToNext : 0);
  auto tensor = dyn_cast<nax::TensorType>(type);
  if (tensor && tensor.getWhole() == sequence)
    state.bounds |= Everything;
  return state;
}

SmallVector<AxisAttr> causality::lookedAlong(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<AxisAttr>>(op)
      .Case<DotOp, SumOp, MeanOp, MaxOp, RmsNormOp, LayerNormOp>(
          [](auto op) { return SmallVector<AxisAttr>(op.getOver()); })
      .Case<LastOp, FirstOp>(
          [](auto op) { return SmallVector<AxisAttr>{op.getAxis()}; })
      .Case<SoftmaxOp, AttentionOp, AttentionWeightsOp>(
          [](auto op) { return SmallVector<AxisAttr>{op.getAlong()}; })
      .Case<ScoresOp, ArgmaxOp, TopKOp, CrossEntropyOp>(
          [](auto op) { return SmallVector<AxisAttr>{op.getOver()}; })
      .Default([](Operation *) { return SmallVector<AxisAttr>(); });
}

namespace {

/// Whether f(0) = 0 for every element, so that zeros of the future stay.
bool keepsZero(Operation *op) {
  return isa<ValuesOp, NegOp, SiluOp, GeluOp, GeluTanhOp, ReluOp, TanhOp,
             SqrtOp, ScaleOp, CastOp, DropoutOp, SplitOp, MergeOp, SpreadOp,
             PartOp>(op);
}

/// Operations whose elements depend on the same element of their operands (and
/// on all of an axis that is no sequence).
bool isByPosition(Operation *op) {
  return isa<ParamOp, ScoresOp, SoftcapOp, BiasOp, AlibiOp, CausalMaskOp,
             MaskOp, ValuesOp, LogitsOp, WindowOp, PastOp, PrefixOp,
             ShorterThanOp, AllowedWhereTrueOp, BlockedWhereTrueOp, MaskAndOp,
             MaskOrOp, MaskNotOp, RopeOp, RmsNormOp, LayerNormOp, ArgmaxOp, TopKOp, AddOp,
             SubOp, MulOp, DivOp, NegOp, SiluOp, GeluOp, GeluTanhOp, ReluOp,
             ExpOp, TanhOp, SigmoidOp, SqrtOp, ScaleOp, OffsetOp, CastOp,
             DropoutOp, SplitOp, MergeOp, SpreadOp, PartOp, ConcatOp, EmbedOp,
             UnembedOp, EmbedPositionsOp, PositionsOp, CrossEntropyOp>(op);
}

/// Whether `value` is scores of what reads `sequence`.
bool isScoresOf(Value value, AxisAttr sequence) {
  auto type = cast<nax::TensorType>(value.getType());
  return type.is(Is::scores) && type.getKind().getB().getBase() == sequence;
}

/// What is known of the result's future elements.
Future futureOf(Operation *op, ArrayRef<State> operands, AxisAttr sequence) {
  auto all = [&](Future future) {
    return llvm::all_of(operands,
                        [&](State state) { return state.future == future; });
  };
  auto any = [&](Future future) {
    return llvm::any_of(operands,
                        [&](State state) { return state.future == future; });
  };
  if (auto mask = dyn_cast<CausalMaskOp>(op))
    return isScoresOf(mask.getS(), sequence) ? Future::Blocked
                                             : operands[0].future;
  // A mask blocks more; a finite number added to a blocked score leaves it so.
  if (isa<MaskOp, BiasOp, AlibiOp>(op))
    return operands[0].future;
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    return softmax.getAlong().getBase() == sequence &&
                   operands[0].future == Future::Blocked
               ? Future::Zero
               : Future::Unknown;
  if (auto weights = dyn_cast<AttentionWeightsOp>(op))
    return weights.getCausal() && weights.getAlong().getBase() == sequence
               ? Future::Zero
               : Future::Unknown;
  if (isa<MulOp, DotOp>(op))
    return any(Future::Zero) ? Future::Zero : Future::Unknown;
  // 0 / y is 0, x / 0 is not.
  if (isa<DivOp>(op))
    return operands[0].future;
  if (isa<AddOp, SubOp, ConcatOp>(op))
    return all(Future::Zero) ? Future::Zero : Future::Unknown;
  if (isa<SumOp, MeanOp, MaxOp>(op) || keepsZero(op))
    return operands[0].future == Future::Zero ? Future::Zero : Future::Unknown;
  return Future::Unknown;
}

} // namespace

/// The bounds of what looks along all of Read<T>, by the bounds of its
/// operands. If `masked`, what lies ahead of t does not count.
static unsigned mixRead(unsigned bounds, bool masked) {
  if (!(bounds & UpToRead))
    return bounds;
  bounds &= ~UpToRead;
  return bounds | (masked ? UpToQuery : Everything);
}

Outcome causality::transfer(Operation *op, OpResult result,
                            ArrayRef<State> operands, AxisAttr sequence) {
  Outcome outcome;
  State &state = outcome.state;
  Stand stand(result.getType(), sequence);
  bool meetsWhole = false;
  for (State operand : operands) {
    state.bounds |= operand.bounds;
    meetsWhole |= operand.has(Everything);
  }
  state.future = futureOf(op, operands, sequence);
  if (!stand.onQuery || !stand.onRead)
    state.future = Future::Unknown;

  SmallVector<AxisAttr> along = lookedAlong(op);
  bool alongQuery = llvm::is_contained(along, sequence);
  bool alongRead = llvm::any_of(along, [&](AxisAttr axis) {
    return axis.isRead() && axis.getBase() == sequence;
  });

  if (isa<ReadOp, CachedOp>(op)) {
    // t becomes s; a label at s would be one that s has not seen yet.
    if (op->getAttrOfType<AxisAttr>("axis") == sequence) {
      if (state.has(UpToQuery))
        state.bounds = (state.bounds & ~UpToQuery) | UpToRead;
      if (state.has(UpToNext))
        state.bounds = (state.bounds & ~UpToNext) | Everything;
    }
  } else if (isa<NextOp>(op)) {
    if (cast<NextOp>(op).getAxis() == sequence && state.has(UpToQuery))
      state.bounds = (state.bounds & ~UpToQuery) | UpToNext;
  } else if (auto same = dyn_cast<SameDocumentOp>(op)) {
    // Compares the document of t with that of s.
    if (same.getAxis() == sequence && state.has(UpToQuery))
      state.bounds |= UpToRead;
  } else if (alongRead) {
    bool masked = false;
    if (isa<SoftmaxOp>(op))
      masked = operands[0].future == Future::Blocked;
    else if (auto attention = dyn_cast<AttentionOp>(op))
      masked = attention.getCausal();
    else if (auto weights = dyn_cast<AttentionWeightsOp>(op))
      masked = weights.getCausal();
    else if (isa<DotOp, SumOp, MaxOp>(op))
      masked = llvm::any_of(operands, [](State operand) {
        return operand.future == Future::Zero;
      });
    state.bounds = mixRead(state.bounds, masked && stand.onQuery);
  } else if (!isByPosition(op) && along.empty()) {
    // A stranger: whatever it may depend on, it may depend on all of it.
    if (state.bounds)
      state.bounds = Everything;
    if (stand.onQuery && state.bounds && !meetsWhole)
      outcome.leak = Leak::Unknown;
  }
  // Every position may see what the first one has.
  if (alongQuery && isa<FirstOp>(op))
    state.bounds &= ~UpToQuery;
  if (alongQuery && (state.bounds & (UpToQuery | UpToNext)))
    state.bounds = (state.bounds & ~(UpToQuery | UpToNext)) | Everything;
  // Elements of the future are constants, so the others depend on t alone.
  if (state.future != Future::Unknown && state.has(UpToRead))
    state.bounds = (state.bounds & ~UpToRead) | UpToQuery;

  if (stand.onQuery && state.has(Everything)) {
    if (outcome.leak == Leak::None)
      outcome.leak = meetsWhole ? Leak::Joins : Leak::Unmasked;
    state.bounds = UpToQuery;
  }
  return outcome;
}
