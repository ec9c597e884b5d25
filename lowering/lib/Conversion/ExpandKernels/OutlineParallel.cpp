//===- OutlineParallel.cpp - nax.parallel becomes a call of the runtime ---===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The closure is a struct on the stack of the caller, which waits for all
// chunks. It is allocated in the entry block, so that a loop around the
// nax.parallel does not let the stack grow.
//
//===----------------------------------------------------------------------===//

#include "nax/Conversion/ExpandKernels.h"
#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace nax {
#define GEN_PASS_DEF_OUTLINEPARALLEL
#include "nax/Conversion/ExpandKernels.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

constexpr StringLiteral kRuntime = "naxrt_parallel_for";

class Outliner {
public:
  explicit Outliner(ModuleOp module) : module(module), symbols(module) {
    MLIRContext *context = module.getContext();
    pointer = LLVM::LLVMPointerType::get(context);
    i64 = IntegerType::get(context, 64);
    nothing = LLVM::LLVMVoidType::get(context);
  }

  LogicalResult outline(ParallelOp op) {
    auto caller = op->getParentOfType<LLVM::LLVMFuncOp>();
    if (!caller)
      return op.emitOpError("expects to stand in an llvm.func");
    if (caller.getNumArguments() == 0 ||
        caller.getArgument(0).getType() != pointer)
      return op.emitOpError("expects the function around it to take the "
                            "context, a !llvm.ptr, as its first argument");
    repeatConstants(op);
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getBody(), captured);
    SmallVector<Type> types;
    for (Value value : captured) {
      if (!LLVM::isCompatibleType(value.getType()))
        return op.emitOpError("expects LLVM types only, but its region uses a "
                              "value of ")
               << value.getType();
      types.push_back(value.getType());
    }
    auto closure = LLVM::LLVMStructType::getLiteral(op.getContext(), types);

    LLVM::LLVMFuncOp chunk = makeFunction(op, caller, captured, closure);
    callRuntime(op, caller, chunk, captured, closure);
    op.erase();
    return success();
  }

private:
  /// Constants of the caller that the region uses, again inside of it.
  void repeatConstants(ParallelOp op) {
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

  Value fieldOf(ImplicitLocOpBuilder &b, LLVM::LLVMStructType closure,
                Value address, size_t field) {
    return LLVM::GEPOp::create(b, pointer, closure, address,
                               ArrayRef<LLVM::GEPArg>{0, int32_t(field)});
  }

  LLVM::LLVMFuncOp makeFunction(ParallelOp op, LLVM::LLVMFuncOp caller,
                                const SetVector<Value> &captured,
                                LLVM::LLVMStructType closure) {
    ImplicitLocOpBuilder b(op.getLoc(), op.getContext());
    b.setInsertionPoint(caller);
    auto type = LLVM::LLVMFunctionType::get(nothing, {pointer, i64});
    auto chunk = LLVM::LLVMFuncOp::create(
        b, (caller.getName() + "_chunk").str(), type, LLVM::Linkage::Internal);
    symbols.insert(chunk); // makes the name unique
    for (StringRef name :
         {"passthrough", "target_cpu", "tune_cpu", "target_features"})
      if (Attribute attr = caller->getAttr(name))
        chunk->setAttr(name, attr);

    chunk.getBody().takeBody(op.getBody());
    Block &entry = chunk.getBody().front();
    Value address = entry.insertArgument(0u, pointer, op.getLoc());
    b.setInsertionPointToStart(&entry);
    for (auto [field, value] : llvm::enumerate(captured)) {
      Value loaded = LLVM::LoadOp::create(b, value.getType(),
                                          fieldOf(b, closure, address, field));
      replaceAllUsesInRegionWith(value, loaded, chunk.getBody());
    }
    chunk.walk([&](DoneOp done) {
      b.setInsertionPoint(done);
      LLVM::ReturnOp::create(b, ValueRange());
      done.erase();
    });
    return chunk;
  }

  void callRuntime(ParallelOp op, LLVM::LLVMFuncOp caller,
                   LLVM::LLVMFuncOp chunk, const SetVector<Value> &captured,
                   LLVM::LLVMStructType closure) {
    ImplicitLocOpBuilder b(op.getLoc(), op.getContext());
    b.setInsertionPointToStart(&caller.getBody().front());
    Value one = LLVM::ConstantOp::create(b, i64, b.getI64IntegerAttr(1));
    Value address = LLVM::AllocaOp::create(b, pointer, closure, one,
                                           /*alignment=*/64);
    b.setInsertionPoint(op);
    for (auto [field, value] : llvm::enumerate(captured))
      LLVM::StoreOp::create(b, value, fieldOf(b, closure, address, field));
    Value function = LLVM::AddressOfOp::create(b, chunk);
    LLVM::CallOp::create(
        b, runtime(),
        ValueRange{caller.getArgument(0), function, address, op.getN()});
  }

  LLVM::LLVMFuncOp runtime() {
    if (auto known = symbols.lookup<LLVM::LLVMFuncOp>(kRuntime))
      return known;
    OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
    auto type =
        LLVM::LLVMFunctionType::get(nothing, {pointer, pointer, pointer, i64});
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
    SmallVector<ParallelOp> regions;
    getOperation().walk([&](ParallelOp op) { regions.push_back(op); });
    Outliner outliner(getOperation());
    for (ParallelOp op : regions)
      if (failed(outliner.outline(op)))
        return signalPassFailure();
  }
};

} // namespace
