//===- CheckCausality.cpp - no position depends on a later one ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Runs every function that nothing calls once for each causal axis, on abstract
// states (Causality.h), and the called ones for each distinct states of their
// arguments. Frames are kept, so that an error can show the way the future
// took.
//
//===----------------------------------------------------------------------===//

#include "Causality.h"

#include "nax/Dialect/Nax/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace nax {
#define GEN_PASS_DEF_CHECKCAUSALITY
#include "nax/Dialect/Nax/Transforms/Passes.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;
using namespace nax::causality;

/// Whatever tells a position what comes after it is one kind of mistake.
static constexpr llvm::StringLiteral code = "  [N0025]";

namespace {

/// One function with one set of argument states.
struct Frame {
  func::FuncOp function;
  SmallVector<State> arguments, results;
  DenseMap<Value, State> states;
  DenseMap<Operation *, Frame *> callees;
  /// The first call that came here; null for a function that nothing calls.
  func::CallOp caller;
  Frame *callerFrame = nullptr;
  bool running = true;
};

/// A value in one frame, on the way that the future took.
struct Place {
  Frame *frame;
  Value value;
};

class Prover {
public:
  Prover(ModuleOp module, AxisAttr sequence)
      : module(module), sequence(sequence) {}

  LogicalResult proveFunction(func::FuncOp function);

private:
  Frame *run(func::FuncOp function, ArrayRef<State> arguments,
             func::CallOp caller, Frame *callerFrame);
  void visit(Frame &frame, Operation *op);
  void visitCall(Frame &frame, func::CallOp call);

  void report(Frame &frame, Operation *op, Leak leak);
  void attachPath(Diagnostic &diag, Place place, Bound bound);
  std::optional<Place> before(Place place, Bound bound);
  void attachCallers(Diagnostic &diag, Frame &frame);

  State stateOf(Frame &frame, Value value) const {
    return frame.states.lookup(value);
  }
  std::string label(Value value) const {
    auto type = dyn_cast<nax::TensorType>(value.getType());
    return type ? type.getLabel() : "a value";
  }

  ModuleOp module;
  AxisAttr sequence;
  std::vector<std::unique_ptr<Frame>> frames;
  bool failed = false;
};

} // namespace

LogicalResult Prover::proveFunction(func::FuncOp function) {
  SmallVector<State> arguments;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto data = function.getArgAttrOfType<AxisAttr>(
        index, NaxDialect::getDataAttrName());
    arguments.push_back(stateOfArgument(type, sequence, data == sequence));
  }
  Frame *frame = run(function, arguments, {}, nullptr);
  if (!frame || frame->results.empty())
    return failure(failed);

  Operation *terminator = function.getBody().front().getTerminator();
  for (auto [index, operand] : llvm::enumerate(terminator->getOperands())) {
    auto type = dyn_cast<nax::TensorType>(operand.getType());
    if (!type || !Stand(type, sequence).onQuery)
      continue;
    State state = frame->results[index];
    if (state.has(UpToNext) && !type.is(Is::losses)) {
      InFlightDiagnostic diag = terminator->emitOpError()
                                << "gives the future away: position t of "
                                << label(operand)
                                << " depends on the label of t, which is "
                                   "position t + 1 of "
                                << sequence.getName();
      auto values = operand.getDefiningOp<ValuesOp>();
      if (values && cast<nax::TensorType>(values.getX().getType()).is(Is::losses))
        diag << "; losses may be given as they are, without .values()";
      diag << code;
      attachPath(*diag.getUnderlyingDiagnostic(), {frame, operand}, UpToNext);
      failed = true;
    } else if (state.has(UpToRead)) {
      InFlightDiagnostic diag = terminator->emitOpError()
                                << "gives the future away: " << label(operand)
                                << " pairs each position of "
                                << sequence.getName()
                                << " with later ones, without a causal mask"
                                << code;
      attachPath(*diag.getUnderlyingDiagnostic(), {frame, operand}, UpToRead);
      failed = true;
    }
  }
  return failure(failed);
}

/// The frame of `function` for these arguments, run unless it was already; null
/// if it has no body that can be followed.
Frame *Prover::run(func::FuncOp function, ArrayRef<State> arguments,
                   func::CallOp caller, Frame *callerFrame) {
  for (auto &frame : frames)
    if (frame->function == function && ArrayRef(frame->arguments) == arguments)
      return frame->running ? nullptr : frame.get();
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return nullptr;

  frames.push_back(std::make_unique<Frame>());
  Frame &frame = *frames.back();
  frame.function = function;
  frame.arguments.assign(arguments.begin(), arguments.end());
  frame.caller = caller;
  frame.callerFrame = callerFrame;
  for (auto [argument, state] :
       llvm::zip_equal(function.getArguments(), arguments))
    frame.states[argument] = state;
  for (Operation &op : function.getBody().front())
    visit(frame, &op);
  for (Value operand :
       function.getBody().front().getTerminator()->getOperands())
    frame.results.push_back(stateOf(frame, operand));
  frame.running = false;
  return &frame;
}

void Prover::visit(Frame &frame, Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return visitCall(frame, call);
  SmallVector<State> operands;
  for (Value operand : op->getOperands())
    operands.push_back(stateOf(frame, operand));
  // What a region uses from outside counts as an operand of a stranger.
  op->walk([&](Operation *inner) {
    if (inner != op)
      for (Value operand : inner->getOperands())
        operands.push_back(stateOf(frame, operand));
  });
  for (OpResult result : op->getResults()) {
    Outcome outcome = transfer(op, result, operands, sequence);
    if (outcome.leak != Leak::None)
      report(frame, op, outcome.leak);
    frame.states[result] = outcome.state;
  }
}

void Prover::visitCall(Frame &frame, func::CallOp call) {
  SmallVector<State> arguments;
  for (Value operand : call.getOperands())
    arguments.push_back(stateOf(frame, operand));
  auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
  Frame *inner = callee ? run(callee, arguments, call, &frame) : nullptr;
  if (inner)
    frame.callees[call] = inner;
  for (OpResult result : call->getResults()) {
    if (inner) {
      frame.states[result] = inner->results[result.getResultNumber()];
      continue;
    }
    Outcome outcome = transfer(call, result, arguments, sequence);
    if (outcome.leak != Leak::None)
      report(frame, call, outcome.leak);
    frame.states[result] = outcome.state;
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void Prover::report(Frame &frame, Operation *op, Leak leak) {
  failed = true;
  auto operandWith = [&](Bound bound) {
    for (Value operand : op->getOperands())
      if (stateOf(frame, operand).has(bound))
        return operand;
    return Value();
  };
  StringRef name = sequence.getName();

  InFlightDiagnostic diag = op->emitOpError("lets the future in: ");
  Diagnostic &notes = *diag.getUnderlyingDiagnostic();
  switch (leak) {
  case Leak::Joins: {
    Value whole = operandWith(Everything);
    diag << (whole ? label(whole) : "a value") << " has seen every position of "
         << name << " and meets " << name << " here";
    if (whole)
      attachPath(notes, {&frame, whole}, Everything);
    break;
  }
  case Leak::Unmasked: {
    Value read = operandWith(UpToRead);
    StringRef from = read ? "Read<" : "";
    diag << "each position of " << name << " takes in all that "
         << (read ? label(read) : "its operand") << " holds along " << from
         << name << (read ? ">" : "")
         << ", later positions too; mask the scores by nax.causal_mask";
    if (read)
      attachPath(notes, {&frame, read}, UpToRead);
    break;
  }
  case Leak::Unknown:
    diag << "nothing is known of what position t of " << name
         << " takes in here";
    break;
  case Leak::None:
    break;
  }
  diag << code;
  attachCallers(notes, frame);
}

/// Where the value of `place` has `bound` from: an operand of its operation,
/// the argument of a call or the result of a called function.
std::optional<Place> Prover::before(Place place, Bound bound) {
  Frame &frame = *place.frame;
  if (auto argument = dyn_cast<BlockArgument>(place.value)) {
    if (!frame.caller)
      return std::nullopt;
    return Place{frame.callerFrame,
                 frame.caller.getOperand(argument.getArgNumber())};
  }
  Operation *op = place.value.getDefiningOp();
  if (Frame *callee = frame.callees.lookup(op)) {
    Operation *terminator = callee->function.getBody().front().getTerminator();
    unsigned index = cast<OpResult>(place.value).getResultNumber();
    return Place{callee, terminator->getOperand(index)};
  }
  for (Value operand : op->getOperands())
    if (stateOf(frame, operand).has(bound))
      return Place{&frame, operand};
  return std::nullopt;
}

/// Notes from the value that is at fault back to where the future came in.
void Prover::attachPath(Diagnostic &diag, Place place, Bound bound) {
  while (true) {
    std::optional<Place> previous = before(place, bound);
    bool isArgument = isa<BlockArgument>(place.value);
    bool isCall = !isArgument && previous && previous->frame != place.frame;
    Diagnostic &note = diag.attachNote(place.value.getLoc());
    if (isArgument && previous)
      note << "which is this argument";
    else if (isCall)
      note << "which this call returns";
    else if (previous)
      note << "which passes through here as " << label(place.value);
    else if (isArgument)
      note << label(place.value) << " is an argument";
    else if (bound == Everything)
      note << "every position of " << sequence.getName() << " is seen here";
    else if (bound == UpToNext)
      note << "position t gets what belongs to t + 1 here";
    else
      note << "it is read here";
    if (!previous)
      return;
    place = *previous;
  }
}

void Prover::attachCallers(Diagnostic &diag, Frame &frame) {
  for (Frame *inner = &frame; inner->caller; inner = inner->callerFrame)
    diag.attachNote(inner->caller.getLoc())
        << "in this call of " << inner->function.getName();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

/// The proof begins at functions that nothing calls and follows calls, which must
/// come to an end. What an entry is called with comes from outside alone.
LogicalResult checkCalls(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    SmallVector<func::FuncOp> reached{function};
    for (size_t i = 0; i < reached.size(); ++i) {
      LogicalResult result = success();
      reached[i].walk([&](func::CallOp call) {
        auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
        if (callee == function)
          result = call.emitOpError() << "makes " << function.getName()
                                      << " call itself without an end";
        else if (callee->hasAttr(NaxDialect::getEntryAttrName()))
          result = call.emitOpError()
                   << "of the entry " << callee.getName()
                   << "; entries are called from outside alone";
        else if (!llvm::is_contained(reached, callee))
          reached.push_back(callee);
        return WalkResult(result);
      });
      if (failed(result))
        return failure();
    }
  }
  return success();
}

struct CheckCausality final : nax::impl::CheckCausalityBase<CheckCausality> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkCalls(module)))
      return signalPassFailure();
    llvm::SetVector<AxisAttr> sequences;
    llvm::DenseSet<StringRef> called;
    auto collect = [&](Type type) {
      if (auto tensor = dyn_cast<nax::TensorType>(type))
        for (AxisAttr axis : tensor.getAxes())
          if (axis.isCausal())
            sequences.insert(axis.getBase());
    };
    module.walk([&](Operation *op) {
      llvm::for_each(op->getResultTypes(), collect);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArgumentTypes(), collect);
      if (auto call = dyn_cast<func::CallOp>(op))
        called.insert(call.getCallee());
    });

    for (AxisAttr sequence : sequences) {
      Prover prover(module, sequence);
      for (auto function : module.getOps<func::FuncOp>())
        if (!called.contains(function.getName()) && !function.isExternal())
          if (failed(prover.proveFunction(function)))
            signalPassFailure();
    }
    markAllAnalysesPreserved();
  }
};

} // namespace
