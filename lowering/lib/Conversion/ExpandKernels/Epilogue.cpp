//===- Epilogue.cpp - what is done to the sums of a dot -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Epilogue.h"

#include "BodyKey.h"

#include "nax/Conversion/ExpandKernels.h"
#include "nax/Conversion/MathBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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
static bool isPolynomial(Operation &op) {
  return isa<math::ExpOp, math::Exp2Op, math::LogOp, math::TanhOp, math::ErfOp>(
      op);
}

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
  if (isEmpty())
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

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void Epilogue::begin(const DotShape &shape) {
  if (isEmpty() || llvm::none_of(op.getEpilogue().front(), isPolynomial))
    return;
  int64_t sums = shape.tileRows * shape.width / kLanes;
  written = b.onStack({sums, kLanes}, b.getF32Type());
}

void Epilogue::store(ValueRange sums, int64_t count, Value row, Value column,
                     PanelColumns cols, Value result) {
  if (written) {
    for (auto [i, sum] : llvm::enumerate(sums))
      b.storeVector(sum, written, {b.index(i), b.index(0)});
    return storeWritten(written, cols.vectors, b.index(0), b.index(count), row,
                        column, cols, result);
  }
  for (int64_t v = 0; v < cols.vectors; ++v) {
    Value at = b.add(column, v * kLanes);
    Values columns = loadColumns(at, cols.lanes(v));
    for (int64_t r = 0; r < count; ++r) {
      Value to = b.add(row, r);
      Value made =
          apply(sums[r * cols.vectors + v], to, at, cols.lanes(v), columns);
      b.storeLanes(made, result, {to, at}, cols.lanes(v));
    }
  }
}

void Epilogue::storeWritten(Value sums, int64_t stride, Value from, Value to,
                            Value row, Value column, PanelColumns cols,
                            Value result) {
  auto storeColumns = [&](Value v, int64_t lanes) {
    Value at = b.add(column, b.mul(v, kLanes));
    Values columns = loadColumns(at, lanes);
    b.loop(from, to, 1, [&](Value r) {
      Value target = b.add(row, b.sub(r, from));
      Value sum = b.loadVector(sums, {b.add(b.mul(r, stride), v), b.index(0)});
      b.storeLanes(apply(sum, target, at, lanes, columns), result, {target, at},
                   lanes);
    });
  };
  int64_t full = cols.lanesOfLast == kLanes ? cols.vectors : cols.vectors - 1;
  b.loop(b.index(0), b.index(full), 1,
         [&](Value v) { storeColumns(v, kLanes); });
  if (full < cols.vectors)
    storeColumns(b.index(full), cols.lanesOfLast);
}
