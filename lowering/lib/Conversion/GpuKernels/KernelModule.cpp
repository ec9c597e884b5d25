//===- KernelModule.cpp - kernels, their operands and their keys ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "GpuKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace nax;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Strides and the offset that a type says; those of an identity layout follow
/// from sizes.
static SmallVector<int64_t> stridesOf(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    strides.assign(type.getRank(), ShapedType::kDynamic);
  return strides;
}

void KernelOperands::addSize(Value index) {
  numbers.push_back(operands.size());
  operands.push_back(
      host.createOrFold<arith::IndexCastOp>(host.getI32Type(), index));
}

void KernelOperands::addNumber(Value number) {
  if (number.getType().isIndex())
    return addSize(number);
  numbers.push_back(operands.size());
  operands.push_back(number);
}

void KernelOperands::add(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  memrefs.push_back({type, unsigned(operands.size()), {}});
  if (auto get = memref.getDefiningOp<memref::GetGlobalOp>()) {
    memrefs.back().constant =
        SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
            get, get.getNameAttr());
    return;
  }
  operands.push_back(memref);
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i)) {
      Value size = host.createOrFold<memref::DimOp>(memref, i);
      operands.push_back(
          host.createOrFold<arith::IndexCastOp>(host.getI32Type(), size));
    }
  if (type.getLayout().isIdentity())
    return;
  memref::ExtractStridedMetadataOp metadata;
  for (auto [i, stride] : llvm::enumerate(stridesOf(type)))
    if (ShapedType::isDynamic(stride)) {
      if (!metadata)
        metadata = memref::ExtractStridedMetadataOp::create(host, memref);
      operands.push_back(host.createOrFold<arith::IndexCastOp>(
          host.getI64Type(), metadata.getStrides()[i]));
    }
}

SmallVector<Type> KernelOperands::kernelTypes() const {
  SmallVector<Type> types;
  for (Value operand : operands)
    types.push_back(isa<MemRefType>(operand.getType())
                        ? LLVM::LLVMPointerType::get(operand.getContext(), 1)
                        : operand.getType());
  return types;
}

/// The address of a copy of `source` in the gpu.module.
static Value constantOf(GpuBuilder &b, memref::GlobalOp source) {
  auto module = b.getInsertionBlock()
                    ->getParentOp()
                    ->getParentWithTrait<OpTrait::SymbolTable>();
  StringRef name = source.getSymName();
  if (!SymbolTable::lookupSymbolIn(module, name)) {
    MemRefType type = source.getType();
    int64_t count = type.getNumElements();
    Type element = type.getElementType();
    auto values = cast<DenseElementsAttr>(*source.getInitialValue());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&module->getRegion(0).front());
    LLVM::GlobalOp::create(
        b, LLVM::LLVMArrayType::get(element, count), /*isConstant=*/true,
        LLVM::Linkage::Internal, name,
        values.reshape(RankedTensorType::get({count}, element)),
        /*alignment=*/kChunk, /*addrSpace=*/1);
  }
  return LLVM::AddressOfOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext(), 1), name);
}

SmallVector<GlobalView> KernelOperands::views(GpuBuilder &b,
                                              ValueRange args) const {
  SmallVector<GlobalView> views;
  for (const Viewed &viewed : memrefs) {
    unsigned next = viewed.first;
    Value pointer =
        viewed.constant ? constantOf(b, viewed.constant) : Value(args[next++]);
    GlobalView view{viewed.type, pointer, {}, {}};
    for (int64_t size : viewed.type.getShape())
      view.sizes.push_back(ShapedType::isDynamic(size) ? Value(args[next++])
                                                       : b.i32(size));
    if (viewed.type.getLayout().isIdentity()) {
      Value stride = b.i64(1);
      view.strides.assign(view.sizes.size(), stride);
      for (int64_t i = view.sizes.size() - 1; i >= 0; --i) {
        view.strides[i] = stride;
        stride = b.mul(stride, b.toI64(view.sizes[i]));
      }
    } else {
      for (int64_t stride : stridesOf(viewed.type))
        view.strides.push_back(ShapedType::isDynamic(stride)
                                   ? Value(args[next++])
                                   : b.i64(stride));
    }
    views.push_back(std::move(view));
  }
  return views;
}

Values KernelOperands::sizes(ValueRange args) const {
  Values sizes;
  for (unsigned number : numbers)
    sizes.push_back(args[number]);
  return sizes;
}

Value GlobalView::at(GpuBuilder &b, ValueRange indices) const {
  Value offset = b.i64(0);
  for (auto [i, index] : llvm::enumerate(indices))
    if (index)
      offset = b.add(offset, b.mul(b.toI64(index), strides[i]));
  return b.at(pointer, offset, element());
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

std::string nax::kernelKey(Operation *op) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << op->getName() << op->getAttrDictionary();
  llvm::interleaveComma(op->getOperandTypes(), os);
  for (Value operand : op->getOperands())
    if (auto constant = operand.getDefiningOp<memref::GetGlobalOp>())
      os << constant.getNameAttr();
  return key;
}

/// Of an operation made of several the first's: debug information has one line
/// for an instruction, and 0 where several are fused.
static Location lineOf(Location loc) {
  while (auto fused = dyn_cast<FusedLoc>(loc)) {
    if (fused.getLocations().empty())
      break;
    loc = fused.getLocations().front();
  }
  return loc;
}

gpu::GPUFuncOp
KernelModule::get(StringRef key, StringRef name, Location loc,
                  TypeRange arguments, int64_t threads,
                  llvm::function_ref<void(GpuBuilder &, ValueRange)> body) {
  gpu::GPUFuncOp &kernel = made[key];
  if (kernel)
    return kernel;
  MLIRContext *context = module.getContext();
  std::string unique = name.str();
  for (int number = 1; module.lookupSymbol(unique); ++number)
    unique = (name + "_" + Twine(number)).str();

  GpuBuilder b(lineOf(loc), context);
  b.setInsertionPointToEnd(module.getBody());
  kernel = gpu::GPUFuncOp::create(b, unique,
                                  FunctionType::get(context, arguments, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  kernel.setKnownBlockSizeAttr(
      b.getDenseI32ArrayAttr({int32_t(threads), 1, 1}));
  b.setInsertionPointToStart(&kernel.getBody().front());
  body(b, kernel.getArguments());
  gpu::ReturnOp::create(b);
  return kernel;
}
