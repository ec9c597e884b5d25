//===- NaxToLinalg.cpp - values become memory, operations become loops ----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Functions are lowered one by one into new ones. The order of operations is
// kept; only elementwise operations move, into the loop of their one user.
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

//===----------------------------------------------------------------------===//
// Sizes that are known when called
//===----------------------------------------------------------------------===//

static void collectRuntimeAxes(AxisAttr axis, Axes &into) {
  axis = axis.getBase();
  if (axis.hasStaticSize())
    return;
  if (axis.isProduct() || axis.isConcat()) {
    for (AxisAttr part : axis.getParts())
      collectRuntimeAxes(part, into);
    return;
  }
  if (!llvm::is_contained(into, axis))
    into.push_back(axis);
}

static void collectRuntimeAxes(TypeRange types, Axes &into) {
  for (Type type : types)
    if (auto tensor = dyn_cast<nax::TensorType>(type))
      for (AxisAttr axis : tensor.getAxes())
        collectRuntimeAxes(axis, into);
}

/// The sizes a function is called with: an entry takes those of its own
/// arguments, in order of appearance (the C call's order); a repeated block
/// takes all of the module's.
static Axes dimsOf(const ModuleState &state, func::FuncOp source) {
  if (!source->hasAttr("nax.entry"))
    return state.runtimeAxes;
  Axes axes;
  collectRuntimeAxes(source.getArgumentTypes(), axes);
  return axes;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// With a suffix, so that an entry called `exp` is no function of libm.
static std::string loweredName(StringRef source) {
  return (source + ".body").str();
}
static std::string workspaceName(StringRef source) {
  return (source + ".workspace").str();
}

/// Arguments of a lowered function:
/// (context, parameter block, sizes..., arguments..., results..., workspace).
/// An entry's arguments and results are bytes, as C hands them over; a block's
/// are memrefs, one for each layout of a parameter.
static FunctionType loweredType(ModuleState &state, func::FuncOp source) {
  MLIRContext *context = source.getContext();
  auto bytes = MemRefType::get({ShapedType::kDynamic},
                               IntegerType::get(context, 8));
  SmallVector<Type> inputs{LLVM::LLVMPointerType::get(context), bytes};
  inputs.append(dimsOf(state, source).size(), IndexType::get(context));
  bool entry = source->hasAttr("nax.entry");
  auto memory = [&](Type type) -> Type {
    if (entry)
      return bytes;
    auto tensor = cast<nax::TensorType>(type);
    SmallVector<int64_t> shape;
    for (AxisAttr axis : tensor.getAxes())
      shape.push_back(extentOf(axis));
    return MemRefType::get(shape, storageType(tensor.getElementType()));
  };
  for (BlockArgument arg : source.getArguments()) {
    if (!isParamLike(arg)) {
      inputs.push_back(memory(arg.getType()));
      continue;
    }
    auto type = cast<nax::TensorType>(arg.getType());
    for (const Layout &layout : state.layoutsOf(arg))
      inputs.push_back(layoutType(type, layout));
  }
  for (Type result : source.getResultTypes())
    inputs.push_back(memory(result));
  inputs.push_back(bytes);
  return FunctionType::get(context, inputs, {});
}

FunctionLowering::FunctionLowering(ModuleState &state, func::FuncOp source)
    : state(state), source(source), b(source.getContext()),
      loc(source.getLoc()) {}

LogicalResult FunctionLowering::run() {
  bool entry = source->hasAttr("nax.entry");
  Axes dimAxes = dimsOf(state, source);

  b.setInsertionPoint(source);
  target = func::FuncOp::create(b, source.getLoc(), loweredName(source.getName()),
                                loweredType(state, source));
  if (entry)
    target->setAttr("nax.entry", b.getUnitAttr());
  else
    target.setPrivate();
  auto workspaceType = FunctionType::get(
      b.getContext(), SmallVector<Type>(dimAxes.size(), b.getIndexType()),
      {b.getIndexType()});
  func::FuncOp::create(b, source.getLoc(), workspaceName(source.getName()),
                       workspaceType)
      .setPrivate();

  Block *body = target.addEntryBlock();
  b.setInsertionPointToStart(body);
  auto next = body->args_begin();
  context = *next++;
  params = *next++;
  Axes known;
  for (AxisAttr axis : dimAxes) {
    known.push_back(axis);
    dims.push_back(*next++);
  }
  if (entry) {
    // Axes of other entries do not occur here; keep the two lists parallel.
    SmallVector<Value> all;
    Value none;
    for (AxisAttr axis : state.runtimeAxes) {
      auto it = llvm::find(known, axis);
      if (it != known.end()) {
        all.push_back(dims[it - known.begin()]);
        continue;
      }
      if (!none)
        none = constant(0);
      all.push_back(none);
    }
    dims = all;
  }
  auto typed = [&](Value memory, nax::TensorType type) -> Value {
    if (!entry)
      return memory;
    SmallVector<Value> dynamic;
    for (AxisAttr axis : type.getAxes())
      if (ShapedType::isDynamic(extentOf(axis)))
        dynamic.push_back(sizeValue(axis));
    return memref::ViewOp::create(
        b, loc, memrefType(type.getAxes(), type.getElementType()), memory,
        constant(0), dynamic);
  };
  for (BlockArgument arg : source.getArguments()) {
    auto type = cast<nax::TensorType>(arg.getType());
    if (isParamLike(arg)) {
      for (const Layout &layout : state.layoutsOf(arg))
        paramViews[arg].push_back({layout, *next++});
      continue;
    }
    set(arg, {typed(*next++, type), Axes(type.getAxes())});
  }
  auto ret = cast<func::ReturnOp>(source.getBody().front().getTerminator());
  SmallVector<Value> results;
  for (Type type : source.getResultTypes())
    results.push_back(typed(*next++, cast<nax::TensorType>(type)));
  workspace = *next;

  // A result that is computed, and in its type's order, is computed in place;
  // one that only looks at another value's numbers where that one is computed.
  for (auto [value, memory] : llvm::zip(ret.getOperands(), results)) {
    AxesRef order = cast<nax::TensorType>(value.getType()).getAxes();
    while (isa_and_nonnull<ValuesOp, LogitsOp>(value.getDefiningOp()) &&
           cast<nax::TensorType>(value.getDefiningOp()->getOperand(0).getType())
                   .getAxes() == order)
      value = value.getDefiningOp()->getOperand(0);
    if (value.getDefiningOp() && !isParamLike(value))
      destinations.try_emplace(value, memory);
  }

  for (Operation &op : source.getBody().front().without_terminator()) {
    loc = op.getLoc();
    if (failed(lower(&op)))
      return failure();
  }
  loc = ret.getLoc();
  for (auto [value, memory] : llvm::zip(ret.getOperands(), results))
    copy(buffer(value),
         {memory, Axes(cast<nax::TensorType>(value.getType()).getAxes())});
  func::ReturnOp::create(b, loc);
  return success();
}

LogicalResult FunctionLowering::lowerCall(func::CallOp op) {
  func::FuncOp callee = state.sources.lookup(op.getCallee());
  SmallVector<Value> operands{context, params};
  operands.append(dims.begin(), dims.end());
  for (auto [operand, arg] :
       llvm::zip(op.getOperands(), callee.getArguments())) {
    auto type = cast<nax::TensorType>(operand.getType());
    if (isParamLike(arg)) {
      for (const Layout &layout : state.layoutsOf(arg))
        operands.push_back(paramIn(operand, layout));
      continue;
    }
    operands.push_back(permuted(buffer(operand), type.getAxes()).memref);
  }
  for (Value result : op.getResults()) {
    auto type = cast<nax::TensorType>(result.getType());
    Buffer out = allocResult(result, type.getAxes());
    operands.push_back(out.memref);
    set(result, out);
  }
  // One value for all calls of a block, so that the memory plan sees that their
  // workspaces are of one size.
  Value &bytes = workspaceBytes[callee];
  if (!bytes)
    bytes = func::CallOp::create(b, loc, workspaceName(callee.getName()),
                                 TypeRange{b.getIndexType()}, dims)
                .getResult(0);
  operands.push_back(memref::AllocOp::create(
      b, loc, MemRefType::get({ShapedType::kDynamic}, b.getI8Type()),
      ValueRange{bytes}));
  func::CallOp::create(b, loc, loweredName(callee.getName()), TypeRange{},
                       operands);
  return success();
}

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
      module.emitError() << "unknown CPU level '" << cpu << "'; v3 or v4";
      return signalPassFailure();
    }
    ModuleState state;
    state.module = module;
    state.panelWidth = target->nr;
    SmallVector<func::FuncOp> sources(module.getOps<func::FuncOp>());
    for (func::FuncOp source : sources) {
      state.sources[source.getName()] = source;
      collectRuntimeAxes(source.getArgumentTypes(), state.runtimeAxes);
      source.walk([&](Operation *op) {
        collectRuntimeAxes(op->getResultTypes(), state.runtimeAxes);
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
    for (const Slot &slot : state.slots)
      slots.push_back(b.getDictionaryAttr(
          {b.getNamedAttr("param", b.getStringAttr(slot.param)),
           b.getNamedAttr("offset", b.getI64IntegerAttr(slot.offset)),
           b.getNamedAttr("nr", b.getI64IntegerAttr(slot.layout.nr)),
           b.getNamedAttr("n", b.getDenseI64ArrayAttr(slot.layout.n)),
           b.getNamedAttr("k", b.getDenseI64ArrayAttr(slot.layout.k))}));
    getOperation()->setAttr("nax.slots", b.getArrayAttr(slots));
    getOperation()->setAttr("nax.block_bytes",
                            b.getI64IntegerAttr(state.blockBytes));
  }
};

} // namespace
