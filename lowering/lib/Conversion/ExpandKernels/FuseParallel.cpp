//===- FuseParallel.cpp - phases become loops of chunks -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Of a kernel's function only what computes sizes is repeated at its calls. The
// body of a loop, which is nearly all of it, becomes a function that all calls
// share, so that the time to compile still does not grow with their number.
//
//===----------------------------------------------------------------------===//

#include "CutLoop.h"

#include "nax/Conversion/ExpandKernels.h"
#include "nax/Conversion/Touched.h"
#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace nax {
#define GEN_PASS_DEF_FUSEPARALLEL
#include "nax/Conversion/ExpandKernels.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

bool hasLoops(Operation *op) {
  return op->walk([](ParallelOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Loops of one phase or more; those of one element may run at once.
using Stages = SmallVector<SmallVector<ParallelOp>>;

class Fusion {
public:
  explicit Fusion(ModuleOp module) : module(module), symbols(module) {}

  LogicalResult fuse(PhasesOp op) {
    OpBuilder above(op);
    Stages stages;
    written.clear();
    addWritten(op, {});
    for (Region &region : op.getRegions()) {
      Stages own;
      for (Operation &unit : llvm::make_early_inc_range(region.front()))
        if (!isa<DoneOp>(unit) && failed(expand(&unit, above, own)))
          return failure();
      for (SmallVector<ParallelOp> &stage : own)
        addStage(stages, stage);
    }
    auto fused = PhasesOp::create(above, op.getLoc(), stages.size());
    for (auto [region, stage] : llvm::zip(fused.getRegions(), stages))
      for (ParallelOp loop : stage)
        loop->moveBefore(region.front().getTerminator());
    op.erase();
    return success();
  }

  /// Functions of kernels that nothing calls any more.
  void eraseUnused() {
    for (func::FuncOp function : kernels)
      if (SymbolTable::symbolKnownUseEmpty(function, module))
        symbols.erase(function);
  }

private:
  /// The buffers that `op` writes, of its caller where it stands in a function
  /// that is called with `operands`.
  void addWritten(Operation *op, ValueRange operands) {
    auto inCaller = [&](Value value) {
      auto arg = dyn_cast<BlockArgument>(rootOf(value));
      return arg && !operands.empty() && isa<func::FuncOp>(op) &&
                     arg.getOwner()->getParentOp() == op
                 ? operands[arg.getArgNumber()]
                 : value;
    };
    for (Value value : Touched::get(op).writes)
      written.insert(rootOf(inCaller(value)));
    op->walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || callee.isExternal())
        return;
      SmallVector<Value> given;
      for (Value operand : call.getOperands())
        given.push_back(inCaller(operand));
      addWritten(callee, given);
    });
  }

  /// Whether all that it does to memory is to read arguments of the caller that
  /// no phase writes, so that it may as well be done before them.
  bool readsOnlyGiven(Operation *op, const IRMapping &map) {
    Touched touched = Touched::get(op);
    return touched.isKnown && touched.writes.empty() &&
           llvm::all_of(touched.reads, [&](Value value) {
             Value root = rootOf(map.lookupOrDefault(value));
             return isa<BlockArgument>(root) && !written.contains(root);
           });
  }

  /// Rounds take a phase of their own.
  static void addStage(Stages &stages, ArrayRef<ParallelOp> loops) {
    SmallVector<ParallelOp> simple;
    llvm::copy_if(loops, std::back_inserter(simple),
                  [](ParallelOp loop) { return !loop.getRounds(); });
    if (!simple.empty())
      stages.push_back(simple);
    for (ParallelOp loop : loops)
      if (loop.getRounds())
        stages.push_back({loop});
  }

  /// The loops of `unit`, each at `above`, added to the stages of its phase.
  LogicalResult expand(Operation *unit, OpBuilder &above, Stages &stages) {
    SmallVector<ParallelOp> loops;
    auto call = dyn_cast<func::CallOp>(unit);
    auto kernel =
        call ? symbols.lookup<func::FuncOp>(call.getCallee()) : func::FuncOp();
    if (isa<ParallelOp>(unit)) {
      unit->moveBefore(above.getInsertionBlock(), above.getInsertionPoint());
      loops.push_back(cast<ParallelOp>(unit));
    } else if (kernel && hasLoops(kernel)) {
      kernels.insert(kernel);
      if (failed(expandCall(call, kernel, above, loops)))
        return failure();
    } else if (hasLoops(unit)) {
      return unit->emitOpError("expects no nax.parallel inside of it in a "
                               "nax.phases");
    } else if (auto generic = dyn_cast<linalg::GenericOp>(unit);
               generic && canCut(generic)) {
      loops.push_back(cutLoop(above, generic));
    } else {
      loops.push_back(wrap(above, unit->getLoc(), [&](OpBuilder &b) {
        unit->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
      }));
    }
    stages.resize(std::max(stages.size(), loops.size()));
    for (auto [stage, loop] : llvm::zip(stages, loops))
      stage.push_back(loop);
    return success();
  }

  /// A loop of one chunk.
  static ParallelOp wrap(OpBuilder &b, Location loc,
                         llvm::function_ref<void(OpBuilder &)> body) {
    Value one = arith::ConstantIntOp::create(b, loc, 1, 64);
    auto loop = ParallelOp::create(b, loc, one);
    OpBuilder inside(loop.getBody().front().getTerminator());
    body(inside);
    return loop;
  }

  LogicalResult expandCall(func::CallOp call, func::FuncOp kernel,
                           OpBuilder &above, SmallVector<ParallelOp> &loops) {
    if (!llvm::hasSingleElement(kernel.getBody()))
      return call.emitOpError("expects a kernel of one block");
    IRMapping map;
    map.map(kernel.getArguments(), call.getOperands());
    if (failed(expandBlock(kernel.getBody().front(), Value(), call, map, above,
                           loops)))
      return failure();
    call.erase();
    return success();
  }

  /// What is in `block`, which runs where `condition` holds.
  LogicalResult expandBlock(Block &block, Value condition, func::CallOp call,
                            IRMapping &map, OpBuilder &above,
                            SmallVector<ParallelOp> &loops) {
    for (Operation &op :
         llvm::make_early_inc_range(block.without_terminator())) {
      if (auto loop = dyn_cast<ParallelOp>(op)) {
        shareBody(loop);
        auto own = cast<ParallelOp>(above.clone(*loop, map));
        if (condition)
          own.getNMutable().assign(whenTrue(above, condition, own.getN()));
        loops.push_back(own);
        continue;
      }
      auto branch = dyn_cast<scf::IfOp>(op);
      if (branch && hasLoops(branch) && !branch.elseBlock() &&
          branch->getNumResults() == 0 && !condition) {
        if (failed(expandBlock(*branch.thenBlock(),
                               map.lookupOrDefault(branch.getCondition()), call,
                               map, above, loops)))
          return failure();
        continue;
      }
      if (condition ? isPure(&op)
                    : isMemoryEffectFree(&op) || readsOnlyGiven(&op, map)) {
        above.clone(op, map);
        continue;
      }
      if (condition || op.getNumResults() != 0 || hasLoops(&op))
        return call.emitOpError("expects a kernel whose loops follow each other"
                                ", but got '")
               << op.getName() << "' beside them";
      loops.push_back(
          wrap(above, op.getLoc(), [&](OpBuilder &b) { b.clone(op, map); }));
    }
    return success();
  }

  static Value whenTrue(OpBuilder &b, Value condition, Value n) {
    Value zero = arith::ConstantIntOp::create(b, n.getLoc(), 0, 64);
    return arith::SelectOp::create(b, n.getLoc(), condition, n, zero);
  }

  /// Makes a function of what a kernel's loop does.
  void shareBody(ParallelOp loop) {
    if (!shared.insert(loop).second)
      return;
    auto kernel = loop->getParentOfType<func::FuncOp>();
    Location loc = loop.getLoc();
    OpBuilder b(loop.getContext());
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(loop.getBody(), captured);
    b.setInsertionPointToStart(&loop.getBody().front());
    SmallVector<Value> arguments;
    for (Value value : captured)
      if (Operation *op = value.getDefiningOp();
          op && op->hasTrait<OpTrait::ConstantLike>())
        replaceAllUsesInRegionWith(value, b.clone(*op)->getResult(0),
                                   loop.getBody());
      else
        arguments.push_back(value);

    SmallVector<Type> types(ValueRange(arguments).getTypes());
    types.push_back(b.getI64Type());
    auto function = func::FuncOp::create(
        loc, (kernel.getName() + "_chunk").str(), b.getFunctionType(types, {}));
    function.setPrivate();
    if (Attribute linkage = kernel->getAttr("llvm.linkage"))
      function->setAttr("llvm.linkage", linkage);
    // It keeps its name in a profile.
    function->setAttr("passthrough", b.getStrArrayAttr({"noinline"}));
    symbols.insert(function, kernel->getIterator()); // makes the name unique

    function.getBody().takeBody(loop.getBody());
    Block &body = function.getBody().front();
    for (auto [i, value] : llvm::enumerate(arguments))
      replaceAllUsesInRegionWith(
          value, body.insertArgument(unsigned(i), value.getType(), loc),
          function.getBody());
    b.setInsertionPoint(body.getTerminator());
    func::ReturnOp::create(b, loc);
    body.getTerminator()->erase();

    Block *block = b.createBlock(&loop.getBody(), {}, {b.getI64Type()}, {loc});
    arguments.push_back(block->getArgument(0));
    func::CallOp::create(b, loc, function, arguments);
    DoneOp::create(b, loc);
  }

  ModuleOp module;
  SymbolTable symbols;
  SetVector<func::FuncOp> kernels;
  DenseSet<Value> written; ///< in the phases that are looked at
  DenseSet<Operation *> shared;
};

struct FuseParallel final : nax::impl::FuseParallelBase<FuseParallel> {
  void runOnOperation() override {
    SmallVector<PhasesOp> all;
    getOperation().walk([&](PhasesOp op) { all.push_back(op); });
    Fusion fusion(getOperation());
    for (PhasesOp op : all)
      if (failed(fusion.fuse(op)))
        return signalPassFailure();
    fusion.eraseUnused();
  }
};

} // namespace
