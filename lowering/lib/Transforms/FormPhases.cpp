//===- FormPhases.cpp - what may run at once ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Conversion/Passes.h"
#include "nax/Conversion/Touched.h"
#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace nax {
#define GEN_PASS_DEF_FORMPHASES
#include "nax/Conversion/Passes.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

/// Operations that follow each other and that threads may share.
struct Group {
  struct Unit {
    Operation *op;
    Touched touched;
    bool isKernel;
    unsigned phase;
  };
  SmallVector<Unit> units;
  unsigned count = 0; ///< of phases

  void add(Operation *op, Touched touched) {
    unsigned phase = 0;
    for (const Unit &before : units) {
      if (before.touched.conflictsWith(touched))
        phase = std::max(phase, before.phase + 1);
      if (before.isKernel)
        phase = std::max(phase, before.phase);
    }
    bool isKernel = op->getName().getStringRef().starts_with("nax.kernel.");
    units.push_back({op, std::move(touched), isKernel, phase});
    count = std::max(count, phase + 1);
  }

  /// Makes a nax.phases of it if there is something that threads share.
  void close() {
    if (units.size() > 1 &&
        llvm::any_of(units, [](const Unit &unit) { return unit.isKernel; })) {
      OpBuilder b(units.front().op);
      auto phases = PhasesOp::create(b, units.front().op->getLoc(), count);
      for (const Unit &unit : units) {
        Block &block = phases->getRegion(unit.phase).front();
        unit.op->moveBefore(block.getTerminator());
      }
    }
    units.clear();
    count = 0;
  }
};

/// What sizes and places are made of, calls of functions of sizes included.
bool isWithoutNumbers(Operation &op) {
  auto isSize = [](Type type) { return type.isIndex(); };
  return isMemoryEffectFree(&op) || isa<memref::AllocOp>(op) ||
         (isa<func::CallOp>(op) && llvm::all_of(op.getOperandTypes(), isSize) &&
          llvm::all_of(op.getResultTypes(), isSize));
}

struct FormPhases final : nax::impl::FormPhasesBase<FormPhases> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func.getName().ends_with(".body") && !func.isExternal())
        form(func.getBody().front());
  }

  static void form(Block &block) {
    Group group;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (op.hasTrait<OpTrait::IsTerminator>())
        break;
      if (isWithoutNumbers(op)) {
        if (!group.units.empty())
          op.moveBefore(group.units.front().op);
        continue;
      }
      Touched touched = Touched::get(&op);
      if (touched.isKnown && op.getNumResults() == 0)
        group.add(&op, std::move(touched));
      else
        group.close();
    }
    group.close();
  }
};

} // namespace
