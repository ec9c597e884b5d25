//===- NaxToLinalg.cpp - values become memory, operations become loops ----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The pass, and which method lowers which operation.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "nax/Conversion/CpuTarget.h"
#include "nax/Conversion/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace nax {
#define GEN_PASS_DEF_NAXTOLINALG
#include "nax/Conversion/Passes.h.inc"
} // namespace nax

using namespace mlir;

namespace nax {

LogicalResult FunctionLowering::lower(Operation *op) {
  if (isElementwise(op)) {
    if (!isDeferred(op))
      lowerElementwise(op);
    return success();
  }
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ParamOp) { return success(); })
      // Masks become part of the attention that applies them.
      .Case<WindowOp, PastOp, PrefixOp, ShorterThanOp, SameDocumentOp,
            AllowedWhereTrueOp, BlockedWhereTrueOp, MaskAndOp, MaskOrOp,
            MaskNotOp>([&](auto) { return success(); })
      .Case<DotOp, UnembedOp>([&](auto) { return lowerContraction(op); })
      .Case<AttentionOp, AttentionWeightsOp>(
          [&](auto) { return lowerAttention(op); })
      .Case([&](func::CallOp call) { return lowerCall(call); })
      .Case([&](EmbedOp o) { return lowerEmbed(o), success(); })
      .Case([&](EmbedPositionsOp o) {
        return lowerEmbedPositions(o), success();
      })
      .Case([&](RopeOp o) { return lowerRope(o), success(); })
      .Case([&](PositionsOp o) { return lowerPositions(o), success(); })
      .Case([&](CachedOp o) { return lowerCached(o), success(); })
      .Case<RmsNormOp, LayerNormOp>(
          [&](auto) { return lowerNorm(op), success(); })
      .Case([&](SoftmaxOp o) -> LogicalResult {
        if (o.getX().getType().is(Is::scores))
          return o.emitOpError()
                 << "over " << o.getAlong().getLabel()
                 << " is in another function than its scores or masks; make "
                    "scores, masks and softmax beside one another";
        return lowerSoftmax(o), success();
      })
      .Case([&](ScoresOp o) { return lowerScores(o), success(); })
      .Case([&](CrossEntropyOp o) { return lowerCrossEntropy(o), success(); })
      .Case<SumOp, MeanOp, MaxOp>(
          [&](auto) { return lowerReduction(op), success(); })
      .Case([&](ArgmaxOp o) { return lowerArgMax(o), success(); })
      .Case([&](TopKOp o) { return lowerTopK(o), success(); })
      .Case([&](SpreadOp o) { return lowerSpread(o), success(); })
      .Case([&](DropoutOp o) { return lowerDropout(o), success(); })
      .Case([&](SplitOp o) { return lowerSplit(o), success(); })
      .Case([&](MergeOp o) {
        set(o.getResult(), merge(buffer(o.getX()), o.getAxis()));
        return success();
      })
      .Case([&](PartOp o) { return lowerPart(o), success(); })
      .Case([&](ConcatOp o) { return lowerConcat(o), success(); })
      .Case([&](NextOp o) { return lowerNext(o), success(); })
      .Case([&](FirstOp) { return lowerEnd(op, /*last=*/false), success(); })
      .Case([&](LastOp) { return lowerEnd(op, /*last=*/true), success(); })
      .Case([&](ReadOp o) {
        AxisAttr t = o.getAxis(), read = AxisAttr::getRead(t);
        rename(o.getX(), o.getResult(),
               [&](AxisAttr axis) { return axis == t ? read : axis; });
        return success();
      })
      .Case<ValuesOp, LogitsOp>([&](auto o) {
        rename(o.getX(), o.getResult(), [](AxisAttr axis) { return axis; });
        return success();
      })
      .Default([&](Operation *o) {
        return o->emitOpError()
               << "is left after nax-fuse-attention; give the scores to softmax "
                  "beside it";
      });
}

} // namespace nax

using namespace nax;

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct NaxToLinalg final : nax::impl::NaxToLinalgBase<NaxToLinalg> {
  using NaxToLinalgBase::NaxToLinalgBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::optional<CpuTarget> target = CpuTarget::get(cpu);
    if (!target) {
      module.emitError() << "unknown CPU level '" << cpu << "'; "
                         << CpuTarget::names;
      return signalPassFailure();
    }
    ModuleState state;
    state.module = module;
    state.panelWidth = target->nr;
    state.blockPanelWidth = target->blockNr;
    state.hasPairs = target->hasBf16;
    if (failed(setTarget(state)) || failed(setWeights(state)))
      return signalPassFailure();
    chooseWeights(state);
    SmallVector<func::FuncOp> sources(module.getOps<func::FuncOp>());
    for (func::FuncOp source : sources) {
      state.sources[source.getName()] = source;
      collectRuntimeAxes(source.getArgumentTypes(), state.runtimeAxes);
      source.walk([&](Operation *op) {
        collectRuntimeAxes(op->getResultTypes(), state.runtimeAxes);
        if (auto cached = dyn_cast<CachedOp>(op))
          state.slotAxes.push_back(slotsOf(cached));
      });
    }
    for (func::FuncOp source : sources)
      if (failed(checkSizes(state, source)) || failed(checkMasks(source)) ||
          failed(FunctionLowering(state, source).run()))
        return signalPassFailure();
    for (func::FuncOp source : sources)
      source.erase();
    writeSlots(state);
  }

  LogicalResult setTarget(ModuleState &state) {
    if (this->target != "cpu" && this->target != "gpu")
      return getOperation().emitError()
             << "expects the target cpu or gpu, but got " << this->target;
    if (type != "f32" && type != "f16" && type != "bf16")
      return getOperation().emitError()
             << "expects the type f32, f16 or bf16, but got " << type;
    if (this->target == "cpu") {
      if (type == "f32")
        return success();
      return getOperation().emitError()
             << "expects the type f32 for a CPU, but got " << type;
    }
    state.panelWidth = state.blockPanelWidth = 0;
    if (type == "f16")
      state.narrow = Float16Type::get(&getContext());
    if (type == "bf16")
      state.narrow = BFloat16Type::get(&getContext());
    return success();
  }
  LogicalResult setWeights(ModuleState &state) {
    state.weights = WeightFormat::get(StringRef(weights));
    if (!weights.empty() && !state.weights)
      return getOperation().emitError()
             << "expects weights of " << WeightFormat::names << ", but got "
             << weights;
    if (!weights.empty() && state.onGpu())
      return getOperation().emitError()
             << "expects no weights of " << weights
             << " for a GPU; type says what it has in memory";
    if (activations != "int8" && activations != "f32")
      return getOperation().emitError()
             << "expects activations of int8 or f32, but got " << activations;
    state.exact = activations == "f32";
    auto byName = getOperation()->getAttrOfType<DictionaryAttr>("nax.weights");
    if (state.onGpu() || !byName)
      return success();
    for (NamedAttribute entry : byName) {
      auto name = dyn_cast<StringAttr>(entry.getValue());
      if (!name || !WeightFormat::get(name.getValue()))
        return getOperation().emitError()
               << "expects nax.weights to name " << WeightFormat::names
               << " for each parameter, but got " << entry.getValue();
    }
    state.weightsByName = byName;
    return success();
  }

  /// Which parameters are stored as was asked for.
  void chooseWeights(ModuleState &state) {
    if (state.onGpu() || (!state.weights && !state.weightsByName))
      return;
    if (state.weightsByName)
      specialiseBlocks(state.module, state.weightsByName);
    for (auto source : state.module.getOps<func::FuncOp>())
      state.sources[source.getName()] = source;
    if (DictionaryAttr byName = keepOneValue(state)) {
      state.weightsByName = byName;
      specialiseBlocks(state.module, byName);
    }
  }

  /// Every size must come with an argument of the entry.
  LogicalResult checkSizes(const ModuleState &state, func::FuncOp source) {
    if (source.isExternal())
      return source.emitOpError("has no body");
    if (!source->hasAttr("nax.entry"))
      return success();
    Axes known = dimsOf(state, source), used;
    source.walk([&](Operation *op) {
      collectRuntimeAxes(op->getResultTypes(), used);
    });
    for (AxisAttr axis : used)
      if (!llvm::is_contained(known, axis))
        return source.emitError()
               << "entry " << source.getName() << " uses axis "
               << axis.getName() << " of no fixed size, but no argument has it";
    return success();
  }

  void writeSlots(const ModuleState &state) {
    Builder b(&getContext());
    SmallVector<Attribute> slots;
    for (const Slot &slot : state.slots) {
      NamedAttrList fields;
      fields.append("param", b.getStringAttr(slot.param));
      fields.append("offset", b.getI64IntegerAttr(slot.offset));
      fields.append("nr", b.getI64IntegerAttr(slot.layout.nr));
      fields.append("n", b.getDenseI64ArrayAttr(slot.layout.n));
      fields.append("k", b.getDenseI64ArrayAttr(slot.layout.k));
      // A CPU has parameters in the model's types.
      if (slot.layout.stored != NAX_STORED_AS_DECLARED)
        fields.append("stored", b.getI64IntegerAttr(slot.layout.stored));
      if (state.onGpu())
        fields.append("type", TypeAttr::get(slot.element));
      slots.push_back(fields.getDictionary(&getContext()));
    }
    getOperation()->setAttr("nax.slots", b.getArrayAttr(slots));
    getOperation()->setAttr("nax.block_bytes",
                            b.getI64IntegerAttr(state.blockBytes));
  }
};

} // namespace
