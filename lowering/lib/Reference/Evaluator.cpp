//===- Evaluator.cpp - what a model means, in float64 ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Reference/Evaluator.h"

#include "Frame.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nax;
using namespace nax::reference;

Result Frame::eval(ParamOp op) {
  const NDArray *value = params(op.getName());
  if (!value)
    return op.emitOpError("has no value for ") << op.getName();
  return *value;
}

Result Frame::eval(EmbedOp op) {
  int64_t outside = 0;
  std::optional<NDArray> rows =
      embed(at(op.getIds()), at(op.getTable()), op.getFrom(), outside);
  if (!rows)
    return op.emitOpError("expects ids within axis ")
           << op.getFrom().getLabel() << ", but got " << outside;
  return *rows;
}

Result Frame::eval(EmbedPositionsOp op) {
  NDArray positions = positionsOf(op.getAxis(), maybe(op.getData()), extents);
  int64_t outside = 0;
  std::optional<NDArray> moved =
      embedPositions(at(op.getX()), at(op.getTable()), positions, outside);
  if (!moved)
    return op.emitOpError("expects positions within its table, but got ")
           << outside;
  return *moved;
}

Result Frame::eval(CrossEntropyOp op) {
  std::optional<NDArray> labelled;
  if (typeOf(op.getResult()).is(Is::losses)) {
    AxisAttr axis = typeOf(op.getResult()).getKind().getA();
    labelled = hasNext(axis, maybe(op.getData()), extents);
  }
  int64_t outside = 0;
  std::optional<NDArray> losses =
      crossEntropy(at(op.getLogits()), at(op.getLabels()), op.getOver(),
                   labelled ? &*labelled : nullptr, outside);
  if (!losses)
    return op.emitOpError("expects labels within axis ")
           << op.getOver().getLabel() << ", but got " << outside;
  return *losses;
}

/// Of losses those count that have a label; of a ragged or left-padded axis
/// the positions that are there.
std::optional<NDArray> Frame::countedBy(nax::TensorType type, AxesRef over,
                                        const NDArray *data) {
  if (type.is(Is::losses))
    return hasNext(type.getKind().getA(), data, extents);
  if (!data)
    return std::nullopt;
  for (AxisAttr axis : over)
    if (axis.getBaseData() == AxisData::ragged ||
        axis.getBaseData() == AxisData::left_padded)
      return realOf(axis, data, extents);
  return std::nullopt;
}

NDArray Frame::softmaxOf(NDArray x, AxisAttr along, Value data) {
  if (!data)
    return softmax(std::move(x), along, nullptr);
  NDArray readable = along.isRead() ? readableOf(along, &at(data), extents)
                                    : realOf(along, &at(data), extents);
  return softmax(std::move(x), along, &readable);
}

/// What the fused operations stand for: the order of the steps is part of it.
template <typename Op>
NDArray Frame::weightsOf(Op op) {
  NDArray s = scores(at(op.getQ()), at(op.getK()), op.getOver(),
                     op.getScale().convertToDouble());
  if (op.getCap())
    s = softcap(std::move(s), op.getCap()->convertToDouble());
  if (op.getBias())
    s = bias(s, at(op.getBias()));
  if (op.getAlibi())
    s = alibi(std::move(s), *op.getAlibi(), op.getAlong(), extents);
  if (op.getMask())
    s = mask(std::move(s), at(op.getMask()));
  if (op.getCausal())
    s = causalMask(std::move(s), op.getAlong());
  return softmaxOf(std::move(s), op.getAlong(), op.getData());
}

Result Frame::eval(Operation *op) {
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<ParamOp, DotOp, ReadOp, ScoresOp, SoftcapOp, BiasOp, AlibiOp,
            CausalMaskOp, MaskOp, SoftmaxOp, ValuesOp, LogitsOp, RopeOp,
            EmbedOp, UnembedOp, EmbedPositionsOp, SplitOp, MergeOp, PartOp,
            nax::ConcatOp, RmsNormOp, LayerNormOp, SumOp, MeanOp, MaxOp, AddOp,
            SubOp, MulOp, DivOp, NegOp, SiluOp, GeluOp, GeluTanhOp, ReluOp,
            ExpOp, TanhOp, SigmoidOp, SqrtOp, ScaleOp, OffsetOp, CastOp,
            SpreadOp, NextOp, CrossEntropyOp, LastOp, FirstOp, ArgmaxOp, TopKOp,
            DropoutOp, WindowOp, PastOp, PrefixOp, ShorterThanOp, SameDocumentOp,
            AllowedWhereTrueOp, BlockedWhereTrueOp, MaskAndOp, MaskOrOp,
            MaskNotOp, AttentionOp, AttentionWeightsOp>(
          [&](auto known) { return eval(known); })
      .Default([](Operation *other) -> Result {
        return other->emitError("the reference evaluator has no rule for ")
               << other->getName();
      });
}

LogicalResult Frame::runCall(func::CallOp op) {
  auto callee = module.lookupSymbol<func::FuncOp>(op.getCallee());
  if (!callee)
    return op.emitOpError("calls @")
           << op.getCallee() << ", which is not there";
  std::vector<Array> arguments;
  for (Value operand : op.getOperands())
    arguments.push_back(values.at(operand));
  Frame frame(module, extents, params);
  FailureOr<std::vector<Array>> results = frame.call(callee, arguments);
  if (failed(results))
    return failure();
  for (auto [value, array] : llvm::zip(op.getResults(), *results))
    values[value] = array;
  return success();
}

LogicalResult Frame::run(Operation &op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return runCall(call);
  Result result = eval(&op);
  if (failed(result))
    return failure();
  Value value = op.getResult(0);
  values[value] = std::make_shared<NDArray>(
      arranged(std::move(*result), typeOf(value).getAxes()));
  return success();
}

FailureOr<std::vector<Frame::Array>> Frame::call(func::FuncOp func,
                                                 ArrayRef<Array> arguments) {
  if (func.isExternal())
    return func.emitError("@") << func.getName() << " has no body";
  for (auto [value, array] : llvm::zip(func.getArguments(), arguments))
    values[value] = array;
  Block &body = func.getBody().front();
  for (Operation &op : body.without_terminator())
    if (failed(run(op)))
      return failure();
  std::vector<Array> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(values.at(value));
  return results;
}

std::optional<NDArray> reference::zeros(nax::TensorType type,
                                        const Extents &extents) {
  Shape shape = extents.shapeOf(type.getAxes());
  if (llvm::any_of(shape.sizes, [](int64_t size) { return size < 0; }))
    return std::nullopt;
  Type number = type.getElementType();
  return NDArray(shape, number.isInteger(32) || number.isInteger(64));
}

FailureOr<std::vector<NDArray>> reference::evaluate(ModuleOp module,
                                                    StringRef entry,
                                                    ArrayRef<NDArray> inputs,
                                                    Params params) {
  auto func = module.lookupSymbol<func::FuncOp>(entry);
  if (!func || !func->hasAttr("nax.entry"))
    return module.emitError("has no entry @") << entry;
  if (inputs.size() != func.getNumArguments())
    return func.emitError("entry @")
           << entry << " takes " << func.getNumArguments() << " inputs, not "
           << inputs.size();

  Extents extents;
  std::vector<Frame::Array> arguments;
  for (auto [input, type] : llvm::zip(inputs, func.getArgumentTypes())) {
    for (auto [axis, size] : llvm::zip(input.axes, input.sizes))
      if (!extents.set(axis, size))
        return func.emitError("axis ")
               << axis.getBase().getLabel() << " has " << extents.get(axis)
               << " and " << size << " places";
    arguments.push_back(std::make_shared<NDArray>(
        arranged(input, cast<nax::TensorType>(type).getAxes())));
  }
  Frame frame(module, extents, params);
  FailureOr<std::vector<Frame::Array>> results = frame.call(func, arguments);
  if (failed(results))
    return failure();
  std::vector<NDArray> arrays;
  for (const Frame::Array &result : *results)
    arrays.push_back(*result);
  return arrays;
}
