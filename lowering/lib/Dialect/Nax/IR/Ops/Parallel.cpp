//===- Parallel.cpp - what runs on several threads ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Dialect/Nax/IR/Nax.h"

using namespace mlir;
using namespace nax;

//===----------------------------------------------------------------------===//
// Parallel
//===----------------------------------------------------------------------===//

void ParallelOp::build(OpBuilder &b, OperationState &state, Value n,
                       Value rounds) {
  state.addOperands(n);
  if (rounds)
    state.addOperands(rounds);
  Region *body = state.addRegion();
  Block *block = new Block;
  body->push_back(block);
  block->addArgument(b.getI64Type(), state.location);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(block);
  DoneOp::create(b, state.location);
}

ParseResult ParallelOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument chunk;
  OpAsmParser::UnresolvedOperand n;
  Type i64 = parser.getBuilder().getI64Type();
  chunk.type = i64;
  int64_t zero;
  SMLoc where;
  if (parser.parseArgument(chunk) || parser.parseEqual() ||
      parser.getCurrentLocation(&where) || parser.parseInteger(zero))
    return failure();
  if (zero != 0)
    return parser.emitError(where, "expects to begin at 0, but got ") << zero;
  if (parser.parseKeyword("to") || parser.parseOperand(n) ||
      parser.resolveOperand(n, i64, result.operands))
    return failure();
  if (OpAsmParser::UnresolvedOperand rounds;
      succeeded(parser.parseOptionalKeyword("rounds")) &&
      (parser.parseOperand(rounds) ||
       parser.resolveOperand(rounds, i64, result.operands)))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parser.parseRegion(*result.addRegion(), chunk);
}

void ParallelOp::print(OpAsmPrinter &p) {
  p << ' ' << getChunk() << " = 0 to " << getN();
  if (getRounds())
    p << " rounds " << getRounds();
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult ParallelOp::verifyRegions() {
  if (getBody().getNumArguments() != 1 ||
      !getBody().getArgument(0).getType().isInteger(64))
    return emitOpError("expects a region with one argument of i64");
  if (auto outer = (*this)->getParentOfType<ParallelOp>())
    return emitOpError("expects not to stand in another one")
               .attachNote(outer.getLoc())
           << "the outer one";
  return success();
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

void PhasesOp::build(OpBuilder &b, OperationState &state, unsigned count) {
  OpBuilder::InsertionGuard guard(b);
  for (unsigned i = 0; i < count; ++i) {
    Block &block = state.addRegion()->emplaceBlock();
    b.setInsertionPointToEnd(&block);
    DoneOp::create(b, state.location);
  }
}

ParseResult PhasesOp::parse(OpAsmParser &parser, OperationState &result) {
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  do
    if (parser.parseRegion(*result.addRegion()))
      return failure();
  while (succeeded(parser.parseOptionalKeyword("then")));
  return success();
}

void PhasesOp::print(OpAsmPrinter &p) {
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  llvm::interleave(
      getRegions(),
      [&](Region &region) {
        p << ' ';
        p.printRegion(region, /*printEntryBlockArgs=*/false);
      },
      [&] { p << " then"; });
}

LogicalResult PhasesOp::verifyRegions() {
  for (Region &region : getRegions())
    if (region.getNumArguments() != 0)
      return emitOpError("expects regions without arguments");
  for (Operation *outer = (*this)->getParentOp(); outer;
       outer = outer->getParentOp())
    if (isa<ParallelOp, PhasesOp>(outer))
      return emitOpError("expects not to stand in a nax.parallel or in another "
                         "nax.phases")
                 .attachNote(outer->getLoc())
             << "the outer one";
  return success();
}
