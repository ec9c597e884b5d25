//===- LaunchToLLVM.cpp - launches become calls of the runtime ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Conversion/LaunchToLLVM.h"

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringExtras.h"

namespace nax {
#define GEN_PASS_DEF_LAUNCHTOLLVM
#include "nax/Conversion/LaunchToLLVM.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

constexpr StringLiteral launchFunction = "naxrt_cuda_launch";
/// Blocks and threads in x, y and z, bytes of shared memory.
constexpr int64_t shapeNumbers = 7;

struct Kernel {
  int64_t number;
  StringRef name;
  int64_t shared = 0;
};

/// Memory that all launches of a function use one after another: the runtime
/// has read it when its call returns.
struct Arguments {
  Value context, shape, slots, pointers;
};

struct LaunchToLLVM final : nax::impl::LaunchToLLVMBase<LaunchToLLVM> {
  using LaunchToLLVMBase::LaunchToLLVMBase;

  void runOnOperation() override {
    if (failed(numberKernels()))
      return signalPassFailure();
    declareLaunch();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(convert(function)))
        return signalPassFailure();
    describeKernels();
    for (auto gpu :
         llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      gpu.erase();
  }

private:
  LogicalResult numberKernels();
  void declareLaunch();
  LogicalResult convert(func::FuncOp function);
  Arguments allocate(func::FuncOp function, size_t operands);
  void call(LaunchOp launch, const Arguments &arguments);
  void describeKernels();

  llvm::MapVector<SymbolRefAttr, Kernel> kernels;
  SmallVector<Attribute> images;
};

Value number(ImplicitLocOpBuilder &b, int64_t value) {
  return LLVM::ConstantOp::create(b, b.getI64Type(), value);
}

Value element(ImplicitLocOpBuilder &b, Type type, Value array, int64_t index) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  return LLVM::GEPOp::create(b, pointer, type, array,
                             ArrayRef<LLVM::GEPArg>{int32_t(index)});
}

/// The address of a memref's first element, as i64.
Value addressOf(ImplicitLocOpBuilder &b, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(b, memref);
  Value bytes = arith::ConstantIndexOp::create(
      b, llvm::divideCeil(type.getElementTypeBitWidth(), 8));
  Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(b, memref);
  Value offset = arith::MulIOp::create(b, metadata.getOffset(), bytes);
  return arith::IndexCastOp::create(b, b.getI64Type(),
                                    arith::AddIOp::create(b, pointer, offset));
}

LogicalResult LaunchToLLVM::numberKernels() {
  Builder b(&getContext());
  for (auto gpu : getOperation().getOps<gpu::GPUModuleOp>()) {
    auto ptx = gpu->getAttrOfType<StringAttr>("nax.ptx");
    if (!ptx)
      return gpu.emitError("has no PTX: nax-gpu-to-ptx comes before");
    StringRef target =
        ptx.getValue().split(".target ").second.take_until([](char c) {
          return !llvm::isAlnum(c) && c != '_';
        });
    int64_t least = 0;
    StringRef(target)
        .drop_front(3)
        .take_while(llvm::isDigit)
        .getAsInteger(10, least);
    // sm_90a and the like run on that very chip.
    int64_t most = target.ends_with("a") ? least : -1;
    images.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("least", b.getI64IntegerAttr(least)),
         b.getNamedAttr("most", b.getI64IntegerAttr(most)),
         b.getNamedAttr("ptx", ptx),
         b.getNamedAttr("target", b.getStringAttr(target))}));
    for (auto kernel : gpu.getOps<gpu::GPUFuncOp>())
      if (kernel.isKernel()) {
        auto symbol =
            SymbolRefAttr::get(gpu.getSymNameAttr(),
                               {FlatSymbolRefAttr::get(kernel.getNameAttr())});
        kernels.insert(
            {symbol, {int64_t(kernels.size()), kernel.getName(), 0}});
      }
  }
  return success();
}

void LaunchToLLVM::declareLaunch() {
  ModuleOp module = getOperation();
  auto b =
      ImplicitLocOpBuilder::atBlockBegin(module.getLoc(), module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(&getContext());
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                  {pointer, b.getI64Type(), pointer, pointer});
  LLVM::LLVMFuncOp::create(b, launchFunction, type);
}

Arguments LaunchToLLVM::allocate(func::FuncOp function, size_t operands) {
  auto b = ImplicitLocOpBuilder::atBlockBegin(function.getLoc(),
                                              &function.getBody().front());
  auto pointer = LLVM::LLVMPointerType::get(&getContext());
  auto room = [&](Type type, int64_t count) -> Value {
    return LLVM::AllocaOp::create(b, pointer, type,
                                  number(b, std::max<int64_t>(count, 1)));
  };
  Arguments arguments;
  arguments.context = function.getArgument(0);
  arguments.shape = room(b.getI64Type(), shapeNumbers);
  arguments.slots = room(b.getI64Type(), operands);
  arguments.pointers = room(pointer, operands);
  for (size_t i = 0; i < operands; ++i)
    LLVM::StoreOp::create(b, element(b, b.getI64Type(), arguments.slots, i),
                          element(b, pointer, arguments.pointers, i));
  return arguments;
}

void LaunchToLLVM::call(LaunchOp launch, const Arguments &arguments) {
  ImplicitLocOpBuilder b(launch.getLoc(), launch);
  Type i64 = b.getI64Type();
  auto asNumber = [&](Value index) -> Value {
    return arith::IndexCastOp::create(b, i64, index);
  };
  Value shape[shapeNumbers] = {asNumber(launch.getGridX()),
                               asNumber(launch.getGridY()),
                               asNumber(launch.getGridZ()),
                               number(b, launch.getThreads()),
                               number(b, 1),
                               number(b, 1),
                               number(b, launch.getShared())};
  for (auto [i, value] : llvm::enumerate(shape))
    LLVM::StoreOp::create(b, value, element(b, i64, arguments.shape, i));
  for (auto [i, operand] : llvm::enumerate(launch.getArguments())) {
    Value value = isa<MemRefType>(operand.getType()) ? addressOf(b, operand)
                                                     : Value(operand);
    LLVM::StoreOp::create(b, value, element(b, i64, arguments.slots, i));
  }
  Kernel &kernel = kernels.find(launch.getKernel())->second;
  kernel.shared = std::max<int64_t>(kernel.shared, launch.getShared());
  LLVM::CallOp::create(b, TypeRange{}, launchFunction,
                       ValueRange{arguments.context, number(b, kernel.number),
                                  arguments.shape, arguments.pointers});
  launch.erase();
}

LogicalResult LaunchToLLVM::convert(func::FuncOp function) {
  SmallVector<LaunchOp> launches;
  function.walk([&](LaunchOp launch) { launches.push_back(launch); });
  if (launches.empty())
    return success();
  if (function.getNumArguments() == 0 ||
      !isa<LLVM::LLVMPointerType>(function.getArgument(0).getType()))
    return function.emitError(
        "launches kernels, but its first argument is no context");
  size_t operands = 0;
  for (LaunchOp launch : launches)
    operands = std::max<size_t>(operands, launch.getArguments().size());
  Arguments arguments = allocate(function, operands);
  for (LaunchOp launch : launches)
    call(launch, arguments);
  return success();
}

void LaunchToLLVM::describeKernels() {
  Builder b(&getContext());
  SmallVector<Attribute> described;
  for (auto &[symbol, kernel] : kernels)
    described.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("name", b.getStringAttr(kernel.name)),
         b.getNamedAttr("shared", b.getI64IntegerAttr(kernel.shared))}));
  getOperation()->setAttr("nax.kernels", b.getArrayAttr(described));
  getOperation()->setAttr("nax.images", b.getArrayAttr(images));
}

} // namespace
