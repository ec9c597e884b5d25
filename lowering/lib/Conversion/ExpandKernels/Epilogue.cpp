//===- Epilogue.cpp - what is done to the sums of a dot -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Epilogue.h"

#include "BodyKey.h"

#include "nax/Conversion/ExpandKernels.h"
#include "nax/Conversion/MathBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nax;

//===----------------------------------------------------------------------===//
// What can be done
//===----------------------------------------------------------------------===//

static bool isLane(Type type) {
  return type.isF32() || type.isInteger(32) || type.isInteger(1);
}

bool nax::runsOnVectors(Operation *op) {
  if (!llvm::all_of(op->getOperandTypes(), isLane) ||
      !llvm::all_of(op->getResultTypes(), isLane))
    return false;
  // The remainder is a function of libm, as all of math is but what is here.
  if (isa<arith::ArithDialect>(op->getDialect()))
    return !isa<arith::RemFOp>(op);
  return isa<math::ExpOp, math::Exp2Op, math::LogOp, math::TanhOp, math::ErfOp,
             math::SqrtOp, math::FmaOp, math::AbsFOp>(op);
}

LogicalResult nax::checkEpilogue(kernel::DotOp op) {
  if (op.getEpilogue().empty())
    return success();
  for (Value extra : op.getExtras())
    if (!cast<MemRefType>(extra.getType()).getElementType().isF32())
      return op.emitOpError("expects extras of f32 on a CPU, but got ")
             << extra.getType();
  for (Operation &inner : op.getEpilogue().front().without_terminator())
    if (!runsOnVectors(&inner))
      return (op.emitOpError("expects an epilogue on a CPU that vectors of f32 "
                             "can do, but got ")
              << inner.getName())
                 .attachNote(inner.getLoc())
             << "it stands here";
  for (Value number : capturesOf(op))
    if (!isLane(number.getType()))
      return op.emitOpError("expects numbers of f32, i32 or i1 from around its "
                            "epilogue, but got ")
             << number.getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Its body
//===----------------------------------------------------------------------===//

Values nax::capturesOf(kernel::DotOp op) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op.getEpilogue(), used);
  return llvm::filter_to_vector(used,
                                [](Value value) { return !isConstant(value); });
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

Values Epilogue::loadColumns(Value column, int64_t lanes) {
  Values columns;
  for (Value extra : extras)
    columns.push_back(cast<MemRefType>(extra.getType()).getRank() == 1
                          ? b.loadLanes(extra, {column}, lanes)
                          : Value());
  return columns;
}

Value Epilogue::vectorOf(Operation *constant) {
  Attribute value;
  matchPattern(constant, m_Constant(&value));
  VectorType type = b.vectorOf(constant->getResult(0).getType());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, value));
}

/// Functions that are no instruction become polynomials.
Values Epilogue::cloneOnto(Operation *inner, ValueRange operands) {
  auto made = llvm::TypeSwitch<Operation *, Value>(inner)
                  .Case([&](math::ExpOp) {
                    return emitExp(b, b.getLoc(), operands[0]);
                  })
                  .Case([&](math::Exp2Op) {
                    return emitExp2(b, b.getLoc(), operands[0]);
                  })
                  .Case([&](math::LogOp) {
                    return emitLog(b, b.getLoc(), operands[0]);
                  })
                  .Case([&](math::TanhOp) {
                    return emitTanh(b, b.getLoc(), operands[0]);
                  })
                  .Case([&](math::ErfOp) {
                    return emitErf(b, b.getLoc(), operands[0]);
                  })
                  .Default([](Operation *) { return Value(); });
  if (made)
    return {made};
  Operation *copy = b.insert(inner->cloneWithoutRegions());
  copy->setOperands(operands);
  for (Value result : copy->getResults())
    result.setType(b.vectorOf(result.getType()));
  return copy->getResults();
}

Value Epilogue::apply(Value sums, Value row, Value column, int64_t lanes,
                      ValueRange columns) {
  if (op.getEpilogue().empty())
    return sums;
  Block &body = op.getEpilogue().front();
  IRMapping map;
  map.map(body.getArgument(0), sums);
  for (auto [i, extra] : llvm::enumerate(extras))
    map.map(body.getArgument(i + 1),
            columns[i] ? columns[i] : b.loadLanes(extra, {row, column}, lanes));
  for (auto [outside, inside] : llvm::zip(capturesOf(op), captures))
    map.map(outside, b.broadcast(inside));
  auto vectorFor = [&](Value value) {
    if (!map.contains(value))
      map.map(value, vectorOf(value.getDefiningOp()));
    return map.lookup(value);
  };
  for (Operation &inner : body.without_terminator()) {
    if (inner.hasTrait<OpTrait::ConstantLike>())
      continue;
    Values operands = llvm::map_to_vector(inner.getOperands(), vectorFor);
    map.map(inner.getResults(), cloneOnto(&inner, operands));
  }
  return vectorFor(body.getTerminator()->getOperand(0));
}
