//===- DecodeAxis.cpp - the axis that an entry is continued along ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Finds it, or says why an entry has none.
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

using namespace mlir;
using namespace nax;
using namespace nax::decode;

bool Sequence::mentions(Type type) const {
  auto tensor = dyn_cast<nax::TensorType>(type);
  return tensor && (tensor.getWhole() == axis ||
                    llvm::any_of(tensor.getAxes(), [&](AxisAttr on) {
                      return on.getBase() == axis;
                    }));
}

bool Sequence::mentions(func::FuncOp function) const {
  auto any = [&](TypeRange types) {
    return llvm::any_of(types, [&](Type type) { return mentions(type); });
  };
  return any(function.getArgumentTypes()) || any(function.getResultTypes()) ||
         function
             .walk([&](Operation *op) {
               return any(op->getResultTypes()) ? WalkResult::interrupt()
                                                : WalkResult::advance();
             })
             .wasInterrupted();
}

AxisAttr Sequence::missingRow(Type type) const {
  for (AxisAttr row : rows)
    if (!has(type, row))
      return row;
  return {};
}

bool Sequence::isReplaced(func::FuncOp function, unsigned argument) const {
  return function.getArgAttrOfType<AxisAttr>(
             argument, NaxDialect::getDataAttrName()) == axis &&
         !has(function.getArgumentTypes()[argument], axis);
}

/// The first operation that lets a position of a sequence read later ones, and
/// where that is a mask of the past with something else, that mask.
static std::pair<ScoresOp, PastOp> readsOnward(func::FuncOp function) {
  std::pair<ScoresOp, PastOp> found;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto scores = dyn_cast<ScoresOp>(op); scores && !found.first)
      found.first = scores;
    if (auto past = dyn_cast<PastOp>(op); past && !found.second)
      found.second = past;
    auto call = dyn_cast<func::CallOp>(op);
    if (!call || found.first)
      return;
    if (func::FuncOp callee = calleeOf(call))
      if (auto inner = readsOnward(callee); inner.first)
        found = inner;
  });
  return found;
}

static LogicalResult refuseNoAxis(func::FuncOp entry) {
  auto [scores, past] = readsOnward(entry);
  if (!scores)
    return emitError(entry.getLoc())
           << entry.getName()
           << ": none of its arguments stands on a causal axis, so there is "
              "nothing that a step continues; decode an entry that takes "
              "struct T : Causal<\"T\"> {}";
  AxisAttr asks = scores.getResult().getType().getKind().getA();
  InFlightDiagnostic diag = emitError(scores.getLoc());
  diag << spell(scores) << ": positions of " << asks.getName()
       << " read later ones, so a new one changes those before it, and "
       << entry.getName() << " has no step; declare struct " << asks.getName()
       << " : Causal<\"" << asks.getName() << "\"> {}";
  if (past)
    diag.attachNote(past.getLoc())
        << "past<" << past.getAxis().getName()
        << ">() is not all that may be read: other masks show what comes later";
  return diag;
}

FailureOr<Sequence> decode::sequenceOf(func::FuncOp entry) {
  Sequence sequence;
  sequence.entry = entry;
  sequence.name = entry.getName();
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
    auto tensor = dyn_cast<nax::TensorType>(type);
    if (!tensor)
      continue;
    for (auto [at, axis] : llvm::enumerate(tensor.getAxes())) {
      if (axis.getKind() != AxisKind::causal)
        continue;
      if (!sequence.axis) {
        sequence.axis = axis;
        sequence.first = index;
        sequence.rows.assign(tensor.getAxes().begin(),
                             tensor.getAxes().begin() + at);
      } else if (sequence.axis != axis) {
        return emitError(entry.getLoc())
               << entry.getName()
               << ": its arguments stand on two causal axes, "
               << sequence.axis.getName() << " and " << axis.getName()
               << ", and a step continues one; declare the other as Positions, "
                  "or decode another entry";
      }
    }
  }
  if (!sequence.axis)
    return refuseNoAxis(entry);
  sequence.read = AxisAttr::getRead(sequence.axis);
  sequence.now = AxisAttr::get(entry.getContext(), sequence.axis.getName(), -1,
                               AxisKind::causal, AxisData::continued);
  sequence.readNow = AxisAttr::getRead(sequence.now);
  return sequence;
}
