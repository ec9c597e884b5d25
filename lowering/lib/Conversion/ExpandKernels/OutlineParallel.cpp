//===- OutlineParallel.cpp - loops of chunks become calls of the runtime --===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The closure is a struct on the stack of the caller, which waits for all
// chunks; all phases share it. Structs are allocated in the entry block, so
// that a loop around them does not let the stack grow.
//
//===----------------------------------------------------------------------===//

#include "nax/Conversion/ExpandKernels.h"
#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace nax {
#define GEN_PASS_DEF_OUTLINEPARALLEL
#include "nax/Conversion/ExpandKernels.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

constexpr StringLiteral kRuntime = "naxrt_parallel_phases";

/// Loops that may run at once.
using Phase = SmallVector<ParallelOp>;

/// What all functions of one nax.phases get.
struct Closure {
  SetVector<Value> captured;
  LLVM::LLVMStructType type;
};

class Outliner {
public:
  explicit Outliner(ModuleOp module) : module(module), symbols(module) {
    MLIRContext *context = module.getContext();
    pointer = LLVM::LLVMPointerType::get(context);
    i64 = IntegerType::get(context, 64);
    nothing = LLVM::LLVMVoidType::get(context);
  }

  /// `op` is a lone nax.parallel or a nax.phases.
  LogicalResult outline(Operation *op) {
    auto caller = op->getParentOfType<LLVM::LLVMFuncOp>();
    if (!caller)
      return op->emitOpError("expects to stand in an llvm.func");
    if (caller.getNumArguments() == 0 ||
        caller.getArgument(0).getType() != pointer)
      return op->emitOpError("expects the function around it to take the "
                             "context, a !llvm.ptr, as its first argument");
    SmallVector<Phase> phases;
    if (failed(collect(op, phases)))
      return failure();
    Closure closure;
    if (failed(capture(op, phases, closure)))
      return failure();
    callRuntime(op, caller, phases, closure);
    op->erase();
    return success();
  }

private:
  static LogicalResult collect(Operation *op, SmallVector<Phase> &phases) {
    if (auto loop = dyn_cast<ParallelOp>(op)) {
      phases.push_back({loop});
      return success();
    }
    for (Region &region : cast<PhasesOp>(op).getRegions()) {
      Phase phase;
      for (Operation &inner : llvm::make_early_inc_range(region.front())) {
        if (auto loop = dyn_cast<ParallelOp>(inner))
          phase.push_back(loop);
        else if (isMemoryEffectFree(&inner) && !isa<DoneOp>(inner))
          inner.moveBefore(op);
        else if (!isa<DoneOp>(inner))
          return inner.emitOpError("expects to stand in a nax.parallel");
      }
      if (phase.size() > 1)
        for (ParallelOp loop : phase)
          if (loop.getRounds())
            return loop.emitOpError("expects a phase of its own for rounds");
      if (!phase.empty())
        phases.push_back(phase);
    }
    return success();
  }

  /// Constants of the caller that the region uses, again inside of it.
  static void repeatConstants(ParallelOp op) {
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getBody(), captured);
    OpBuilder b = OpBuilder::atBlockBegin(&op.getBody().front());
    for (Value value : captured) {
      Operation *source = value.getDefiningOp();
      if (!isa_and_nonnull<LLVM::ConstantOp, LLVM::ZeroOp, LLVM::UndefOp,
                           LLVM::PoisonOp, LLVM::AddressOfOp>(source))
        continue;
      Value again = b.clone(*source)->getResult(0);
      replaceAllUsesInRegionWith(value, again, op.getBody());
    }
  }

  static LogicalResult capture(Operation *op, ArrayRef<Phase> phases,
                               Closure &closure) {
    for (const Phase &phase : phases)
      for (ParallelOp loop : phase) {
        repeatConstants(loop);
        getUsedValuesDefinedAbove(loop.getBody(), closure.captured);
        // Who comes to a phase of several loops has to know where one ends.
        if (phase.size() > 1)
          closure.captured.insert(loop.getN());
      }
    SmallVector<Type> types;
    for (Value value : closure.captured) {
      if (!LLVM::isCompatibleType(value.getType()))
        return op->emitOpError("expects LLVM types only, but its region uses a "
                               "value of ")
               << value.getType();
      types.push_back(value.getType());
    }
    closure.type = LLVM::LLVMStructType::getLiteral(op->getContext(), types);
    return success();
  }

  Value fieldOf(ImplicitLocOpBuilder &b, Type type, Value address,
                ArrayRef<LLVM::GEPArg> at) {
    return LLVM::GEPOp::create(b, pointer, type, address, at);
  }
  Value loaded(ImplicitLocOpBuilder &b, const Closure &closure, Value address,
               Value value) {
    auto field = llvm::find(closure.captured, value) - closure.captured.begin();
    return LLVM::LoadOp::create(
        b, value.getType(),
        fieldOf(b, closure.type, address, {0, int32_t(field)}));
  }
  Value constant(ImplicitLocOpBuilder &b, int64_t value) {
    return LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(value));
  }

  LLVM::LLVMFuncOp makeFunction(Location loc, LLVM::LLVMFuncOp caller,
                                StringRef suffix) {
    ImplicitLocOpBuilder b(loc, caller.getContext());
    b.setInsertionPoint(caller);
    auto type = LLVM::LLVMFunctionType::get(nothing, {pointer, i64});
    auto made = LLVM::LLVMFuncOp::create(b, (caller.getName() + suffix).str(),
                                         type, LLVM::Linkage::Internal);
    symbols.insert(made); // makes the name unique
    for (StringRef name :
         {"passthrough", "target_cpu", "tune_cpu", "target_features"})
      if (Attribute attr = caller->getAttr(name))
        made->setAttr(name, attr);
    return made;
  }

  LLVM::LLVMFuncOp chunkOf(ParallelOp op, LLVM::LLVMFuncOp caller,
                           const Closure &closure) {
    LLVM::LLVMFuncOp chunk = makeFunction(op.getLoc(), caller, "_chunk");
    SetVector<Value> used;
    getUsedValuesDefinedAbove(op.getBody(), used);
    chunk.getBody().takeBody(op.getBody());
    Block &entry = chunk.getBody().front();
    Value address = entry.insertArgument(0u, pointer, op.getLoc());
    ImplicitLocOpBuilder b(op.getLoc(), op.getContext());
    b.setInsertionPointToStart(&entry);
    for (Value value : used)
      replaceAllUsesInRegionWith(value, loaded(b, closure, address, value),
                                 chunk.getBody());
    chunk.walk([&](DoneOp done) {
      b.setInsertionPoint(done);
      LLVM::ReturnOp::create(b, ValueRange());
      done.erase();
    });
    return chunk;
  }

  /// One function for loops that stand side by side: the numbers of one follow
  /// those of the other.
  LLVM::LLVMFuncOp taskOf(Phase &phase, LLVM::LLVMFuncOp caller,
                          const Closure &closure) {
    if (phase.size() == 1)
      return chunkOf(phase.front(), caller, closure);
    Location loc = phase.front().getLoc();
    SmallVector<LLVM::LLVMFuncOp> chunks;
    for (ParallelOp loop : phase)
      chunks.push_back(chunkOf(loop, caller, closure));
    LLVM::LLVMFuncOp task = makeFunction(loc, caller, "_phase");
    ImplicitLocOpBuilder b(loc, caller.getContext());
    Block *block = task.addEntryBlock(b);
    Value address = block->getArgument(0), number = block->getArgument(1);
    for (size_t i = 0; i < chunks.size(); ++i) {
      b.setInsertionPointToEnd(block);
      Value n = i + 1 < chunks.size()
                    ? loaded(b, closure, address, phase[i].getN())
                    : Value();
      Block *own = n ? b.createBlock(&task.getBody()) : block;
      b.setInsertionPointToEnd(own);
      LLVM::CallOp::create(b, chunks[i], ValueRange{address, number});
      LLVM::ReturnOp::create(b, ValueRange());
      if (!n)
        break;
      Block *next = b.createBlock(&task.getBody());
      b.setInsertionPointToEnd(block);
      Value isOwn =
          LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::slt, number, n);
      LLVM::CondBrOp::create(b, isOwn, own, next);
      b.setInsertionPointToEnd(next);
      number = LLVM::SubOp::create(b, number, n);
      block = next;
    }
    return task;
  }

  void callRuntime(Operation *op, LLVM::LLVMFuncOp caller,
                   SmallVector<Phase> &phases, const Closure &closure) {
    ImplicitLocOpBuilder b(op->getLoc(), op->getContext());
    b.setInsertionPointToStart(&caller.getBody().front());
    // nax_phase of nax/model_desc.h
    auto phaseType = LLVM::LLVMStructType::getLiteral(
        op->getContext(), {pointer, pointer, i64, i64});
    auto arrayType = LLVM::LLVMArrayType::get(phaseType, phases.size());
    Value one = constant(b, 1);
    Value address = LLVM::AllocaOp::create(b, pointer, closure.type, one,
                                           /*alignment=*/64);
    Value array = LLVM::AllocaOp::create(b, pointer, arrayType, one,
                                         /*alignment=*/64);
    b.setInsertionPoint(op);
    for (auto [field, value] : llvm::enumerate(closure.captured))
      LLVM::StoreOp::create(
          b, value, fieldOf(b, closure.type, address, {0, int32_t(field)}));
    for (auto [i, phase] : llvm::enumerate(phases)) {
      Value count = phase.front().getN(), rounds = phase.front().getRounds();
      for (ParallelOp loop : ArrayRef(phase).drop_front())
        count = LLVM::AddOp::create(b, count, loop.getN());
      Value task = LLVM::AddressOfOp::create(b, taskOf(phase, caller, closure));
      SmallVector<Value> fields{task, address, count, rounds ? rounds : one};
      for (auto [field, value] : llvm::enumerate(fields))
        LLVM::StoreOp::create(
            b, value,
            fieldOf(b, arrayType, array, {0, int32_t(i), int32_t(field)}));
    }
    LLVM::CallOp::create(b, runtime(),
                         ValueRange{caller.getArgument(0), array,
                                    constant(b, int64_t(phases.size()))});
  }

  LLVM::LLVMFuncOp runtime() {
    if (auto known = symbols.lookup<LLVM::LLVMFuncOp>(kRuntime))
      return known;
    OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(nothing, {pointer, pointer, i64});
    auto function =
        LLVM::LLVMFuncOp::create(b, module.getLoc(), kRuntime, type);
    symbols.insert(function);
    return function;
  }

  ModuleOp module;
  SymbolTable symbols;
  Type pointer, i64, nothing;
};

struct OutlineParallel final : nax::impl::OutlineParallelBase<OutlineParallel> {
  void runOnOperation() override {
    SmallVector<Operation *> regions;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<ParallelOp, PhasesOp>(op))
        return WalkResult::advance();
      regions.push_back(op);
      return WalkResult::skip();
    });
    Outliner outliner(getOperation());
    for (Operation *op : regions)
      if (failed(outliner.outline(op)))
        return signalPassFailure();
  }
};

} // namespace
