//===- Frame.h - one call of one function, as it is evaluated -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Each operation has one `eval` here, most of them a line that hands operands
// and attributes to the function of Ops.h that computes.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_REFERENCE_FRAME_H
#define NAX_LIB_REFERENCE_FRAME_H

#include "Ops.h"

#include "nax/Reference/Evaluator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cmath>
#include <memory>

namespace nax::reference {

using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::Value;
using Result = FailureOr<NDArray>;

/// What the values of the function are.
class Frame {
public:
  Frame(ModuleOp module, const Extents &extents, Params params)
      : module(module), extents(extents), params(params) {}

  using Array = std::shared_ptr<const NDArray>;
  FailureOr<std::vector<Array>> call(mlir::func::FuncOp func,
                                     llvm::ArrayRef<Array> arguments);

private:
  LogicalResult run(mlir::Operation &op);
  LogicalResult runCall(mlir::func::CallOp op);
  Result eval(mlir::Operation *op);

  // --- One for each operation, in the order of the contract.
  Result eval(ParamOp op);
  Result eval(DotOp op) {
    std::optional<NDArray> counted =
        countedBy(typeOf(op.getX()), op.getOver(), maybe(op.getData()));
    return dot(at(op.getX()), at(op.getY()), op.getOver(),
               counted ? &*counted : nullptr);
  }
  Result eval(ReadOp op) { return read(at(op.getX()), op.getAxis()); }
  Result eval(ScoresOp op) {
    return scores(at(op.getQ()), at(op.getK()), op.getOver(),
                  op.getScale().convertToDouble());
  }
  Result eval(SoftcapOp op) {
    return softcap(at(op.getS()), op.getCap().convertToDouble());
  }
  Result eval(BiasOp op) { return bias(at(op.getS()), at(op.getB())); }
  Result eval(AlibiOp op) {
    return alibi(at(op.getS()), op.getHeads(), keyOf(op.getS()), extents);
  }
  Result eval(CausalMaskOp op) {
    return causalMask(at(op.getS()), keyOf(op.getS()));
  }
  Result eval(MaskOp op) { return mask(at(op.getS()), at(op.getM())); }
  Result eval(SoftmaxOp op) {
    return softmaxOf(at(op.getX()), op.getAlong(), op.getData());
  }
  Result eval(ValuesOp op) { return at(op.getX()); }
  Result eval(LogitsOp op) { return at(op.getX()); }
  Result eval(RopeOp op) {
    NDArray positions =
        positionsOf(op.getPositions(), maybe(op.getData()), extents);
    return rope(at(op.getX()), positions, op.getFeatures(), op.getRope());
  }
  Result eval(EmbedOp op);
  Result eval(UnembedOp op) {
    return unembed(at(op.getX()), at(op.getTable()), op.getTo());
  }
  Result eval(EmbedPositionsOp op);
  Result eval(SplitOp op) {
    return split(at(op.getX()), op.getAxis(), extents);
  }
  Result eval(MergeOp op) { return merge(at(op.getX()), op.getAxis()); }
  Result eval(PartOp op) {
    return part(at(op.getX()), op.getConcat(), op.getPart(), extents);
  }
  Result eval(ConcatOp op) {
    llvm::SmallVector<const NDArray *> pieces;
    for (Value piece : op.getXs())
      pieces.push_back(&at(piece));
    return concat(pieces, op.getAxis(), extents);
  }
  Result eval(RmsNormOp op) {
    return rmsNorm(at(op.getX()), at(op.getGain()), op.getOver(),
                   op.getEps().convertToDouble(), op.getOnePlus());
  }
  Result eval(LayerNormOp op) {
    return layerNorm(at(op.getX()), at(op.getGain()), maybe(op.getShift()),
                     op.getOver(), op.getEps().convertToDouble());
  }
  Result eval(SumOp op) { return reduced(op, sum); }
  Result eval(MeanOp op) { return reduced(op, mean); }
  Result eval(MaxOp op) { return reduced(op, reference::max); }
  Result eval(AddOp op) {
    return pairwise(op, [](double x, double y) { return x + y; });
  }
  Result eval(SubOp op) {
    return pairwise(op, [](double x, double y) { return x - y; });
  }
  Result eval(MulOp op) {
    return pairwise(op, [](double x, double y) { return x * y; });
  }
  Result eval(DivOp op) {
    return pairwise(op, [](double x, double y) { return x / y; });
  }
  Result eval(NegOp op) {
    return each(op, [](double x) { return -x; });
  }
  Result eval(SiluOp op) { return each(op, silu); }
  Result eval(GeluOp op) { return each(op, gelu); }
  Result eval(GeluTanhOp op) { return each(op, geluTanh); }
  Result eval(ReluOp op) {
    return each(op, [](double x) { return std::max(x, 0.0); });
  }
  Result eval(ExpOp op) {
    return each(op, [](double x) { return std::exp(x); });
  }
  Result eval(TanhOp op) {
    return each(op, [](double x) { return std::tanh(x); });
  }
  Result eval(SigmoidOp op) { return each(op, sigmoid); }
  Result eval(SqrtOp op) {
    return each(op, [](double x) { return std::sqrt(x); });
  }
  Result eval(ScaleOp op) {
    double by = op.getBy().convertToDouble();
    return each(op, [&](double x) { return x * by; });
  }
  Result eval(OffsetOp op) {
    double by = op.getBy().convertToDouble();
    return each(op, [&](double x) { return x + by; });
  }
  Result eval(CastOp op) {
    return cast(at(op.getX()), typeOf(op.getResult()).getElementType());
  }
  Result eval(SpreadOp op) {
    return spread(at(op.getX()), op.getAxis(), extents);
  }
  Result eval(NextOp op) { return next(at(op.getIds()), op.getAxis()); }
  Result eval(CrossEntropyOp op);
  Result eval(LastOp op) {
    return last(at(op.getX()), op.getAxis(),
                realOf(op.getAxis(), maybe(op.getData()), extents));
  }
  Result eval(FirstOp op) {
    return first(at(op.getX()), op.getAxis(),
                 realOf(op.getAxis(), maybe(op.getData()), extents));
  }
  Result eval(ArgmaxOp op) { return argmax(at(op.getX()), op.getOver()); }
  Result eval(TopKOp op) {
    return topK(at(op.getX()), op.getOver(), op.getK());
  }
  Result eval(DropoutOp op) {
    return dropout(at(op.getX()), at(op.getSeed()).integers.front(),
                   op.getP().convertToDouble(), op.getSite());
  }
  Result eval(WindowOp op) {
    return window(op.getAxis(), op.getSize(), extents);
  }
  Result eval(PastOp op) { return past(op.getAxis(), extents); }
  Result eval(PrefixOp op) {
    return prefix(op.getAxis(), op.getSize(), extents);
  }
  Result eval(ShorterThanOp op) {
    return shorterThan(at(op.getLengths()), op.getAxis(), extents);
  }
  Result eval(SameDocumentOp op) {
    return sameDocument(at(op.getDocuments()), op.getAxis());
  }
  Result eval(AllowedWhereTrueOp op) { return at(op.getM()); }
  Result eval(BlockedWhereTrueOp op) { return negated(at(op.getM())); }
  Result eval(MaskAndOp op) { return both(at(op.getX()), at(op.getY())); }
  Result eval(MaskOrOp op) { return either(at(op.getX()), at(op.getY())); }
  Result eval(MaskNotOp op) { return negated(at(op.getX())); }
  Result eval(AttentionOp op) {
    return dot(weightsOf(op), at(op.getV()), {op.getAlong()});
  }
  Result eval(AttentionWeightsOp op) { return weightsOf(op); }

  // --- What several of them share.
  template <typename Op, typename Function>
  Result pairwise(Op op, Function function) {
    return binary(at(op.getX()), at(op.getY()), function);
  }
  template <typename Op, typename Function>
  Result each(Op op, Function function) {
    return unary(at(op.getX()), function);
  }
  template <typename Op, typename Function>
  Result reduced(Op op, Function function) {
    std::optional<NDArray> counted =
        countedBy(typeOf(op.getX()), op.getOver(), maybe(op.getData()));
    return function(at(op.getX()), op.getOver(), counted ? &*counted : nullptr);
  }
  std::optional<NDArray> countedBy(nax::TensorType type, AxesRef over,
                                   const NDArray *data);
  NDArray softmaxOf(NDArray x, AxisAttr along, Value data);
  template <typename Op>
  NDArray weightsOf(Op op);

  static nax::TensorType typeOf(Value value) {
    return mlir::cast<nax::TensorType>(value.getType());
  }
  static AxisAttr keyOf(Value scores) {
    return typeOf(scores).getKind().getB();
  }
  const NDArray &at(Value value) { return *values.at(value); }
  const NDArray *maybe(Value value) { return value ? &at(value) : nullptr; }

  ModuleOp module;
  const Extents &extents;
  Params params;
  llvm::DenseMap<Value, Array> values;
};

} // namespace nax::reference

#endif // NAX_LIB_REFERENCE_FRAME_H
