//===- BodyCloner.cpp - the body of a loop inside of a kernel -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../ExpandKernels/BodyKey.h"
#include "Loops.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace nax;

//===----------------------------------------------------------------------===//
// What a region takes from around it
//===----------------------------------------------------------------------===//

Captures Captures::get(Region &region) {
  Captures captures;
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(region, used);
  auto operands = region.getParentOp()->getOperands();
  for (Value value : used) {
    if (isa<MemRefType>(value.getType()) && llvm::is_contained(operands, value))
      continue;
    if (isa<MemRefType>(value.getType()))
      captures.memrefs.push_back(value);
    else if (!isConstant(value))
      captures.numbers.push_back(value);
  }
  return captures;
}

void Captures::addTo(KernelOperands &operands) const {
  for (Value memref : memrefs)
    operands.add(memref);
  for (Value number : numbers)
    operands.addNumber(number);
}

//===----------------------------------------------------------------------===//
// Copies of it
//===----------------------------------------------------------------------===//

BodyCloner::BodyCloner(GpuBuilder &b, const Captures &captures,
                       ArrayRef<GlobalView> captured, ValueRange arguments)
    : b(b) {
  for (auto [memref, view] : llvm::zip(captures.memrefs, captured))
    views[memref] = &view;
  for (auto [number, argument] : llvm::zip(captures.numbers, arguments)) {
    Value inside = argument;
    if (number.getType() != inside.getType()) // sizes come as i32
      inside = b.createOrFold<arith::IndexCastOp>(number.getType(), inside);
    numbers.push_back({number, inside});
  }
}

Value BodyCloner::address(Value memref, ValueRange indices) {
  auto view = views.find(memref);
  assert(view != views.end() && "what a body loads is captured");
  return view->second->at(b, indices);
}

/// What stands for `op`, whose operands are those of the copy; null: a copy.
Value BodyCloner::replacement(Operation *op, ArrayRef<Value> indices,
                              IRMapping &map) {
  auto inside = [&](ValueRange values) {
    Values mapped;
    for (Value value : values)
      mapped.push_back(map.lookupOrDefault(value));
    return mapped;
  };
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return indices[index.getDim()];
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return b.load(address(load.getMemRef(), inside(load.getIndices())),
                  load.getType());
  if (auto store = dyn_cast<memref::StoreOp>(op))
    b.store(map.lookupOrDefault(store.getValueToStore()),
            address(store.getMemRef(), inside(store.getIndices())));
  return {};
}

void BodyCloner::mapConstants(Operation *op, IRMapping &map) {
  op->walk([&](Operation *user) {
    for (Value operand : user->getOperands())
      if (isConstant(operand) && !map.contains(operand) &&
          !op->isProperAncestor(operand.getDefiningOp()))
        map.map(operand, b.clone(*operand.getDefiningOp())->getResult(0));
  });
}

Values BodyCloner::clone(Block &body, ValueRange args,
                         ArrayRef<Value> indices) {
  IRMapping map;
  map.map(body.getArguments(), args);
  for (auto [number, inside] : numbers)
    map.map(number, inside);
  for (Operation &op : body.without_terminator()) {
    mapConstants(&op, map);
    if (isa<linalg::IndexOp, memref::LoadOp, memref::StoreOp>(op)) {
      if (Value value = replacement(&op, indices, map))
        map.map(op.getResult(0), value);
      continue;
    }
    Operation *copy = b.clone(op, map);
    // Inside of branches and loops of the body.
    SmallVector<Operation *> accesses;
    for (Region &region : copy->getRegions())
      region.walk([&](Operation *inner) {
        if (isa<linalg::IndexOp, memref::LoadOp, memref::StoreOp>(inner))
          accesses.push_back(inner);
      });
    for (Operation *inner : accesses) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(inner);
      IRMapping same;
      if (Value value = replacement(inner, indices, same))
        inner->getResult(0).replaceAllUsesWith(value);
      inner->erase();
    }
  }
  mapConstants(body.getTerminator(), map);
  Values results;
  for (Value result : body.getTerminator()->getOperands())
    results.push_back(map.lookupOrDefault(result));
  return results;
}
