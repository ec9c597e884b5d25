//===- DecodeRefusals.cpp - where no step can be derived ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A step knows of the positions before its own only what was read of them, key
// by key and value by value. Whatever needs more is refused here, in the words
// of the model and at its line. Types say all that is asked: what stands on T,
// on Read<T>, on both.
//
//===----------------------------------------------------------------------===//

#include "Causality.h"
#include "Decode.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nax;
using namespace nax::decode;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// The axes that the language names in angle brackets.
static SmallVector<AxisAttr> namedBy(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<AxisAttr>>(op)
      .Case<RopeOp>([](RopeOp rope) {
        return SmallVector<AxisAttr>{rope.getPositions(), rope.getFeatures()};
      })
      .Case<NextOp, EmbedPositionsOp, SameDocumentOp, SpreadOp>(
          [](auto op) { return SmallVector<AxisAttr>{op.getAxis()}; })
      .Default([](Operation *op) { return causality::lookedAlong(op); });
}

std::string decode::spell(Operation *op) {
  StringRef name = op->getName().stripDialect();
  std::string text = llvm::StringSwitch<StringRef>(name)
                         .Cases({"add", "offset"}, "operator+")
                         .Case("sub", "operator-")
                         .Cases({"mul", "scale"}, "operator*")
                         .Case("div", "operator/")
                         .Case("values", ".values()")
                         .Case("cast", "to")
                         .Default(name)
                         .str();
  std::string axes;
  for (AxisAttr axis : namedBy(op))
    axes += (axes.empty() ? "" : ",") + axis.getLabel();
  return axes.empty() ? text : text + "<" + axes + ">";
}

static std::string label(Type type) {
  auto tensor = dyn_cast<nax::TensorType>(type);
  return tensor ? tensor.getLabel() : "a value";
}

static std::string nameOf(func::FuncOp function, unsigned argument) {
  auto name = function.getArgAttrOfType<StringAttr>(
      argument, NaxDialect::getNameAttrName());
  return name ? name.str() : "%arg" + std::to_string(argument);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {

class Checker {
public:
  explicit Checker(const Sequence &sequence)
      : sequence(sequence), entry(sequence.name), t(sequence.axis.getName()) {}

  LogicalResult check(func::FuncOp function);
  LogicalResult checkArguments();

private:
  LogicalResult check(Operation *op);
  LogicalResult checkAlong(Operation *op, AxisAttr along);
  LogicalResult checkPairs(Operation *op);
  LogicalResult checkRows(Operation *op, Value read, StringRef role);
  LogicalResult checkReturn(func::FuncOp function);

  InFlightDiagnostic refuse(Operation *op) {
    return emitError(op->getLoc()) << spell(op) << ": ";
  }

  const Sequence &sequence;
  StringRef entry, t;
  DenseSet<Operation *> seen;
};

} // namespace

/// Whether `op` belongs to attention: what makes scores and masks, does
/// something to them, and turns them into weights.
static bool isOfAttention(Operation *op) {
  return isa<ScoresOp, SoftcapOp, BiasOp, AlibiOp, CausalMaskOp, MaskOp,
             SoftmaxOp, WindowOp, PastOp, SameDocumentOp, AllowedWhereTrueOp,
             BlockedWhereTrueOp, MaskAndOp, MaskOrOp, MaskNotOp>(op);
}

LogicalResult Checker::checkAlong(Operation *op, AxisAttr along) {
  bool onSequence = llvm::any_of(op->getOperandTypes(), [&](Type type) {
    return sequence.isOn(type) || Sequence::has(type, sequence.read);
  });
  if (onSequence && llvm::is_contained(sequence.rows, along.getBase()))
    return refuse(op) << along.getName() << " stands before " << t << " in "
                      << nameOf(sequence.entry, sequence.first)
                      << ", so it is rows, each "
                      << "with new positions of its own in a step of " << entry
                      << "; declare that argument with " << t << " before "
                      << along.getName();
  if (along.getBase() != sequence.axis || isa<LastOp>(op))
    return success();
  if (isa<FirstOp>(op))
    return refuse(op) << "the first position of " << t
                      << " is not among the new ones that "
                      << "a step of " << entry
                      << " is given; give it an entry of its own";
  if (along == sequence.read && isa<SoftmaxOp, DotOp>(op) &&
      llvm::any_of(op->getOperandTypes(),
                   [&](Type type) { return sequence.isPair(type); }))
    return success();
  return refuse(op) << "it takes in every position of " << t
                    << ", of which a step of " << entry
                    << " has only the new ones; take last<" << t
                    << ">, or give it an entry of its own";
}

/// What is kept for each pair of positions is not kept by a cache.
LogicalResult Checker::checkPairs(Operation *op) {
  bool takes = llvm::any_of(op->getOperandTypes(),
                            [&](Type type) { return sequence.isPair(type); });
  bool gives = llvm::any_of(op->getResultTypes(),
                            [&](Type type) { return sequence.isPair(type); });
  if (!takes && !gives)
    return success();
  bool known = isOfAttention(op);
  if (auto dot = dyn_cast<DotOp>(op)) {
    // Weights with values that are the same for each position that asks.
    auto weights = [&](Value value) {
      auto type = cast<nax::TensorType>(value.getType());
      return type.is(Is::weights) && sequence.isPair(type);
    };
    known = !gives && dot.getOver() == ArrayRef(sequence.read) &&
            weights(dot.getX()) != weights(dot.getY()) &&
            !(sequence.isPair(dot.getX().getType()) &&
              sequence.isPair(dot.getY().getType()));
  }
  if (known)
    return success();
  return refuse(op) << (gives ? "it makes" : "it takes") << " numbers of each "
                    << t << " for each " << sequence.read.getLabel()
                    << ", which a step of " << entry
                    << " has for its new positions alone; between scores and "
                    << "dot<" << sequence.read.getLabel()
                    << "> only softcap, bias, alibi and masks may be";
}

/// `op` reads `read`, of which each row has a place of its own in the cache.
LogicalResult Checker::checkRows(Operation *op, Value read, StringRef role) {
  Type type = read.getType();
  AxisAttr missing = sequence.missingRow(type);
  if (!missing || !(sequence.isOn(type) || sequence.isOffered(type)))
    return success();
  InFlightDiagnostic diag = refuse(op);
  diag << "the " << role << " " << label(type) << " lack " << missing.getName()
       << ", each row of which has new positions of its own in a step of "
       << entry << "; spread<" << missing.getName() << ">(...) them first";
  if (Operation *made = read.getDefiningOp())
    diag.attachNote(made->getLoc()) << label(type) << " comes from here";
  return diag;
}

LogicalResult Checker::check(Operation *op) {
  if (isa<func::ReturnOp>(op))
    return success();
  if (auto call = dyn_cast<func::CallOp>(op)) {
    func::FuncOp callee = calleeOf(call);
    return callee && sequence.mentions(callee) ? check(callee) : success();
  }
  if (isa<DropoutOp>(op))
    return refuse(op) << "it drops out, so " << entry
                      << " is for training and a step is not; decode an entry "
                         "that takes no Training";
  bool concerned =
      llvm::any_of(op->getOperandTypes(),
                   [&](Type type) { return sequence.mentions(type); }) ||
      llvm::any_of(op->getResultTypes(),
                   [&](Type type) { return sequence.mentions(type); });
  if (!concerned)
    return success();
  if (isa<NextOp, CrossEntropyOp>(op))
    return refuse(op) << "the label of the last new position is not there yet "
                      << "in a step of " << entry
                      << "; give the logits an entry of their own and decode "
                         "that";
  if (auto param = dyn_cast<ParamOp>(op))
    return emitError(op->getLoc())
           << "the parameter " << param.getName() << " stands on " << t
           << ", of which a step of " << entry
           << " has only new positions; look it up: "
           << "embed_positions<" << t << ">(x, table)";
  if (isa<AttentionOp, AttentionWeightsOp>(op) ||
      op->getName().getDialectNamespace() != "nax")
    return refuse(op) << "a step is derived from what nax-fuse-attention has "
                         "not changed; run nax-derive-decode before it";
  for (AxisAttr along : causality::lookedAlong(op))
    if (failed(checkAlong(op, along)))
      return failure();
  if (failed(checkPairs(op)))
    return failure();

  if (auto scores = dyn_cast<ScoresOp>(op))
    return checkRows(op, scores.getK(), "keys");
  if (auto bias = dyn_cast<BiasOp>(op))
    return sequence.isOffered(bias.getB().getType())
               ? checkRows(op, bias.getB(), "numbers")
               : success();
  if (isa<AllowedWhereTrueOp, BlockedWhereTrueOp>(op))
    return sequence.isOffered(op->getOperandTypes()[0])
               ? checkRows(op, op->getOperand(0), "values")
               : success();
  if (auto same = dyn_cast<SameDocumentOp>(op))
    return checkRows(op, same.getDocuments(), "documents");
  if (auto rope = dyn_cast<RopeOp>(op))
    return rope.getPositions().getBase() == sequence.axis
               ? checkRows(op, rope.getX(), "features")
               : success();
  if (auto embed = dyn_cast<EmbedPositionsOp>(op))
    return embed.getAxis() == sequence.axis
               ? checkRows(op, embed.getX(), "features")
               : success();
  if (auto last = dyn_cast<LastOp>(op))
    return last.getAxis() == sequence.axis
               ? checkRows(op, last.getX(), "values")
               : success();
  if (auto dot = dyn_cast<DotOp>(op); dot && dot.getOver()[0] == sequence.read)
    return checkRows(
        op, sequence.isPair(dot.getX().getType()) ? dot.getY() : dot.getX(),
        "values");
  return success();
}

LogicalResult Checker::checkReturn(func::FuncOp function) {
  for (Value value : function.getBody().front().getTerminator()->getOperands())
    if (Sequence::has(value.getType(), sequence.read))
      return emitError(value.getLoc())
             << entry << " returns " << label(value.getType())
             << ", which has a place for each position that a step of it has "
                "cached; return what dot<"
             << sequence.read.getLabel() << "> makes, or decode another entry";
  return success();
}

LogicalResult Checker::check(func::FuncOp function) {
  if (!seen.insert(function).second)
    return success();
  if (!function.getBody().hasOneBlock())
    return emitError(function.getLoc())
           << "a step of " << entry << " would need a body of @"
           << function.getName() << ", one list of operations";
  for (Operation &op : function.getBody().front())
    if (failed(check(&op)))
      return failure();
  return function == sequence.entry ? checkReturn(function) : success();
}

LogicalResult Checker::checkArguments() {
  func::FuncOp function = sequence.entry;
  auto refuseArgument = [&](unsigned index) {
    return emitError(function.getLoc())
           << entry << ": the argument " << nameOf(function, index) << " "
           << label(function.getArgumentTypes()[index]);
  };
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = dyn_cast<nax::TensorType>(type);
    if (!tensor || sequence.isReplaced(function, index))
      continue;
    if (tensor.has(sequence.read))
      return refuseArgument(index)
             << " has a place for each position of " << t
             << " that is read, and a step is given the new ones; make it of "
             << "what stands on " << t << ", or of masks such as window<" << t
             << ">(n)";
    if (tensor.has(AxisAttr::getNext(sequence.axis)))
      return refuseArgument(index)
             << " are labels, and that of the last new position is not there "
                "yet in a step; give the logits an entry of their own and "
                "decode that";
    if (!tensor.has(sequence.axis))
      continue;
    if (AxisAttr missing = sequence.missingRow(type))
      return refuseArgument(index)
             << " lacks " << missing.getName() << " of "
             << nameOf(function, sequence.first) << " "
             << label(function.getArgumentTypes()[sequence.first])
             << ", each of whose rows has new positions of its own in a step; "
             << "declare it on " << missing.getName() << " too";
  }
  return success();
}

LogicalResult decode::checkDerivable(const Sequence &sequence) {
  Checker checker(sequence);
  if (failed(checker.check(sequence.entry)))
    return failure();
  return checker.checkArguments();
}
