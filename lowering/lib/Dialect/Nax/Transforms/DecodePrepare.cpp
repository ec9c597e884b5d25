//===- DecodePrepare.cpp - what a step is made of, laid out ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Inlines what must be, finds out where each value comes from and how long what
// is read must be kept.
//
//===----------------------------------------------------------------------===//

#include "DecodeStep.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace nax;
using namespace nax::decode;

bool Prepared::isFixed(Value value) const {
  auto type = dyn_cast<nax::TensorType>(value.getType());
  // What is neither numbers nor ids is made again from what is.
  return type && (type.isPlain() || type.is(Is::ids)) &&
         sources.lookup(value) == Source::Fixed;
}

/// The first operation of the body that took the place of `call`.
static Operation *inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping values;
  values.map(callee.getArguments(), call.getOperands());
  Operation *before = call->getPrevNode();
  Block &body = callee.getBody().front();
  for (Operation &op : body.without_terminator())
    builder.clone(op, values);
  for (auto [result, value] :
       llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(values.lookup(value));
  Operation *next = before ? before->getNextNode() : &call->getBlock()->front();
  if (next == call)
    next = call->getNextNode();
  call.erase();
  return next;
}

Prepared decode::prepare(func::FuncOp function, const Sequence &sequence,
                         bool isEntry) {
  Prepared prepared;
  // Detached, so that calls are looked up from where it was.
  auto module = function->getParentOfType<ModuleOp>();
  prepared.function = function.clone();
  auto sourceOf = [&](Type type, ValueRange operands) {
    Source source =
        sequence.mentions(type) ? Source::Positions : Source::Parameters;
    for (Value operand : operands)
      source = std::max(source, prepared.sources.lookup(operand));
    return source;
  };
  func::FuncOp copy = *prepared.function;
  for (auto [index, argument] : llvm::enumerate(copy.getArguments())) {
    Source source = sourceOf(argument.getType(), {});
    if (isEntry && source != Source::Positions)
      source =
          sequence.isReplaced(copy, index) ? Source::Positions : Source::Fixed;
    else if (!isEntry &&
             !copy.getArgAttr(index, NaxDialect::getParamAttrName()))
      source = Source::Positions;
    prepared.sources[argument] = source;
  }

  for (Operation *op = &prepared.body().front(); op;) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      bool reads = false, fixed = false, steps = false;
      for (Value operand : call.getOperands()) {
        Source source = prepared.sources.lookup(operand);
        reads |= Sequence::has(operand.getType(), sequence.read);
        fixed |= source == Source::Fixed;
        steps |= source == Source::Positions;
      }
      for (Type type : call.getResultTypes())
        reads |= Sequence::has(type, sequence.read);
      auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
      if (reads || (fixed && steps)) {
        op = inlineCall(call, callee);
        continue;
      }
    }
    for (Value result : op->getResults())
      prepared.sources[result] = sourceOf(result.getType(), op->getOperands());
    op = op->getNextNode();
  }
  for (Operation &op : llvm::reverse(prepared.body()))
    if (isa<func::ReturnOp>(op) || prepared.live.contains(&op))
      for (Value operand : op.getOperands())
        if (Operation *maker = operand.getDefiningOp();
            maker && !prepared.isFixed(operand))
          prepared.live.insert(maker);
  prepared.rings = ringsOf(copy, sequence);
  return prepared;
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

namespace {

/// What one softmax over scores of T looks at.
struct Look {
  /// Keys, values and whatever else it reads.
  SmallVector<Value> reads;
  /// t reads s only if t - s < window; 0 where nothing says so.
  int64_t window = 0;
  bool documents = false;
};

} // namespace

/// Adds what the mask reads, and narrows the window by those that hold for all
/// that it allows.
static void lookAt(Value mask, const Sequence &sequence, bool narrows,
                   Look &look) {
  Operation *op = mask.getDefiningOp();
  if (!op)
    return;
  if (auto window = dyn_cast<WindowOp>(op)) {
    int64_t size = window.getSize();
    if (narrows && window.getAxis() == sequence.axis)
      look.window = look.window ? std::min(look.window, size) : size;
  } else if (isa<MaskAndOp, MaskOrOp, MaskNotOp>(op)) {
    for (Value operand : op->getOperands())
      lookAt(operand, sequence, narrows && isa<MaskAndOp>(op), look);
  } else if (auto same = dyn_cast<SameDocumentOp>(op)) {
    look.documents |= same.getAxis() == sequence.axis;
  } else if (isa<AllowedWhereTrueOp, BlockedWhereTrueOp>(op) &&
             sequence.isOffered(op->getOperandTypes()[0])) {
    look.reads.push_back(op->getOperand(0));
  }
}

static Look lookOf(SoftmaxOp softmax, const Sequence &sequence) {
  Look look;
  look.documents = sequence.axis.getData() == AxisData::packed;
  for (Operation *op = softmax.getX().getDefiningOp(); op;
       op = op->getOperand(0).getDefiningOp()) {
    if (auto scores = dyn_cast<ScoresOp>(op)) {
      look.reads.push_back(scores.getK());
      break;
    }
    if (auto bias = dyn_cast<BiasOp>(op);
        bias && sequence.isOffered(bias.getB().getType()))
      look.reads.push_back(bias.getB());
    else if (auto mask = dyn_cast<MaskOp>(op))
      lookAt(mask.getM(), sequence, /*narrows=*/true, look);
    else if (!isa<SoftcapOp, BiasOp, AlibiOp, CausalMaskOp>(op))
      break;
  }
  for (Operation *user : softmax->getUsers())
    if (auto dot = dyn_cast<DotOp>(user))
      look.reads.push_back(dot.getX() == softmax.getResult() ? dot.getY()
                                                             : dot.getX());
  return look;
}

Value decode::beforeRead(Value value, const Sequence &sequence) {
  auto read = value.getDefiningOp<ReadOp>();
  return read && read.getAxis() == sequence.axis ? Value(read.getX()) : value;
}

DenseMap<Value, int64_t> decode::ringsOf(func::FuncOp function,
                                         const Sequence &sequence) {
  // All that one attention reads has slots of one number, and so has what
  // shares a key or a value with it. Documents are counted from their begin.
  llvm::EquivalenceClasses<void *> together;
  SmallVector<std::pair<void *, int64_t>> windows;
  function.walk([&](SoftmaxOp softmax) {
    if (softmax.getAlong() != sequence.read)
      return;
    Look look = lookOf(softmax, sequence);
    for (Value &value : look.reads) {
      value = beforeRead(value, sequence);
      void *key = value.getAsOpaquePointer();
      together.unionSets(key, look.reads.front().getAsOpaquePointer());
      windows.push_back({key, look.documents ? 0 : look.window});
    }
  });
  DenseMap<void *, int64_t> widest;
  for (auto [key, window] : windows) {
    auto [entry, isNew] =
        widest.try_emplace(together.getLeaderValue(key), window);
    if (!isNew)
      entry->second =
          window && entry->second ? std::max(window, entry->second) : 0;
  }
  DenseMap<Value, int64_t> rings;
  for (auto [key, window] : windows)
    rings[Value::getFromOpaquePointer(key)] =
        widest.lookup(together.getLeaderValue(key));
  return rings;
}
