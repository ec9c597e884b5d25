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

/// Whether no position may read a later one by this mask alone.
static bool hidesTheFuture(Value mask) {
  Operation *op = mask.getDefiningOp();
  if (auto both = dyn_cast_or_null<MaskAndOp>(op))
    return hidesTheFuture(both.getX()) || hidesTheFuture(both.getY());
  if (auto either = dyn_cast_or_null<MaskOrOp>(op))
    return hidesTheFuture(either.getX()) && hidesTheFuture(either.getY());
  return isa_and_nonnull<PastOp>(op);
}

/// The mask of the past that a mask is made of, with something else.
static PastOp pastWithin(Value mask) {
  Operation *op = mask.getDefiningOp();
  if (!op || !isa<PastOp, MaskAndOp, MaskOrOp, MaskNotOp>(op))
    return {};
  if (auto past = dyn_cast<PastOp>(op))
    return past;
  for (Value operand : op->getOperands())
    if (PastOp past = pastWithin(operand))
      return past;
  return {};
}

namespace {
/// What a position of an axis that is not causal may read of it.
struct Reading {
  ScoresOp scores;
  /// Its mask of the past, alone or with what shows later positions, too.
  PastOp past;
  bool isOfPast = false;
};
} // namespace

static void followMasks(Value scores, Reading &reading) {
  for (Operation *user : scores.getUsers()) {
    auto mask = dyn_cast<MaskOp>(user);
    if (mask && mask.getS() == scores) {
      reading.isOfPast |= hidesTheFuture(mask.getM());
      if (!reading.past)
        reading.past = pastWithin(mask.getM());
    }
    for (Value result : user->getResults()) {
      auto type = dyn_cast<nax::TensorType>(result.getType());
      if (type && type.is(Is::scores))
        followMasks(result, reading);
    }
  }
}

/// The first scores of the entry that let a position read later ones, or else
/// the first of all.
static Reading firstReading(func::FuncOp function) {
  Reading found;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    Reading next;
    if (auto scores = dyn_cast<ScoresOp>(op)) {
      next.scores = scores;
      followMasks(scores.getResult(), next);
    }
    if (auto call = dyn_cast<func::CallOp>(op))
      if (func::FuncOp callee = calleeOf(call))
        next = firstReading(callee);
    if (next.scores && (!found.scores || (found.isOfPast && !next.isOfPast)))
      found = next;
  });
  return found;
}

/// Why a step of P, which is not causal, would need more than a cache has.
static LogicalResult refuseReading(func::FuncOp entry, Reading reading) {
  StringRef name =
      reading.scores.getResult().getType().getKind().getA().getName();
  std::string causal =
      (" struct " + name + " : Causal<\"" + name + "\"> {}").str();
  InFlightDiagnostic diag = emitError(reading.scores.getLoc());
  diag << spell(reading.scores) << ": ";
  if (reading.isOfPast)
    return diag << "positions of " << name
                << " read no later ones here, but only of a causal axis is it "
                   "known everywhere, so "
                << entry.getName() << " has no step; declare" << causal
                << ", and causal_mask takes the place of past<" << name
                << ">()";
  diag << "positions of " << name
       << " read later ones, so a new one changes those before it, and "
       << entry.getName() << " has no step; ";
  if (!reading.past)
    return diag << "declare" << causal;
  diag << "the positions of a prefix read one another, so what a cache has of "
          "them holds for one length of it alone: give "
       << entry.getName() << " the whole sequence, or declare" << causal
       << " and mask the prefix causally, too";
  diag.attachNote(reading.past.getLoc())
      << "past<" << name
      << ">() is not all that may be read: other masks show what comes later";
  return diag;
}

static LogicalResult refuseNoAxis(func::FuncOp entry) {
  if (Reading reading = firstReading(entry); reading.scores)
    return refuseReading(entry, reading);
  return emitError(entry.getLoc())
         << entry.getName()
         << ": none of its arguments stands on a causal axis, so there is "
            "nothing that a step continues; decode an entry that takes "
            "struct T : Causal<\"T\"> {}";
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
