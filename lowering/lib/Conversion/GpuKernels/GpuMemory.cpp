//===- GpuMemory.cpp - memory, copies and tensor cores --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "GpuBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using namespace nax;

static constexpr StringLiteral sharedName = "nax_shared";

int64_t nax::alignedBytes(MemRefType type) {
  int64_t elementBytes =
      llvm::divideCeil(type.getElementTypeBitWidth(), int64_t(8));
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.empty() ||
      strides.back() != 1)
    return elementBytes;
  int64_t common = kChunk;
  auto divide = [&](int64_t elements) {
    int64_t bytes = ShapedType::isDynamic(elements) ? elementBytes
                                                    : elements * elementBytes;
    common = std::gcd(common, bytes);
  };
  divide(offset);
  if (!type.getLayout().isIdentity()) {
    for (int64_t stride : ArrayRef(strides).drop_back())
      divide(stride);
    return common;
  }
  // A stride that is not static is a multiple of the static sizes behind it.
  int64_t stride = 1;
  for (int64_t size : llvm::reverse(type.getShape().drop_front())) {
    stride *= ShapedType::isDynamic(size) ? 1 : size;
    divide(stride);
  }
  return common;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

Value GpuBuilder::shared() {
  auto module =
      getInsertionBlock()->getParentOp()->getParentOfType<gpu::GPUModuleOp>();
  if (!module)
    module = cast<gpu::GPUModuleOp>(
        getInsertionBlock()->getParentOp()->getParentOp());
  Type pointer = LLVM::LLVMPointerType::get(getContext(), 3);
  if (!module.lookupSymbol(sharedName)) {
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(*this, LLVM::LLVMArrayType::get(getI8Type(), 0),
                           /*isConstant=*/false, LLVM::Linkage::External,
                           sharedName, Attribute(), /*alignment=*/1024,
                           /*addrSpace=*/3);
  }
  return LLVM::AddressOfOp::create(*this, pointer, sharedName);
}

Value GpuBuilder::at(Value pointer, Value offset, Type element) {
  return LLVM::GEPOp::create(*this, pointer.getType(), element, pointer,
                             ArrayRef<LLVM::GEPArg>{offset});
}

static int64_t naturalAlignment(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth() / 8;
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

Value GpuBuilder::load(Value pointer, Type type, int64_t alignment) {
  return LLVM::LoadOp::create(*this, type, pointer,
                              alignment ? alignment : naturalAlignment(type));
}
void GpuBuilder::store(Value value, Value pointer, int64_t alignment) {
  LLVM::StoreOp::create(*this, value, pointer,
                        alignment ? alignment
                                  : naturalAlignment(value.getType()));
}

Values GpuBuilder::unpack(Value vector) {
  Values elements;
  for (int64_t i = 0; i < cast<VectorType>(vector.getType()).getNumElements();
       ++i)
    elements.push_back(LLVM::ExtractElementOp::create(*this, vector, i32(i)));
  return elements;
}
Value GpuBuilder::pack(ValueRange elements) {
  auto type = VectorType::get(elements.size(), elements[0].getType());
  Value vector = LLVM::UndefOp::create(*this, type);
  for (auto [i, element] : llvm::enumerate(elements))
    vector = LLVM::InsertElementOp::create(*this, vector, element, i32(i));
  return vector;
}
Value GpuBuilder::packHalves(Value low, Value high, Type element) {
  Value halves = arith::TruncFOp::create(*this, VectorType::get(2, element),
                                         pack({low, high}));
  return LLVM::BitcastOp::create(*this, getI32Type(), halves);
}
Value GpuBuilder::fromF32s(ValueRange numbers, Type type) {
  if (numbers.size() == 1)
    return fromF32(numbers[0], type);
  Values elements;
  if (type.getIntOrFloatBitWidth() == 16)
    for (size_t i = 0; i < numbers.size(); i += 2)
      elements.push_back(packHalves(numbers[i], numbers[i + 1], type));
  else
    for (Value x : numbers)
      elements.push_back(fromF32(x, type));
  return elements.size() == 1 ? elements[0] : pack(elements);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void GpuBuilder::copyAsync(Value to, Value from, int64_t bytes, Value valid) {
  Value size = valid ? select(valid, i32(bytes), i32(0)) : Value();
  auto modifier = bytes == kChunk ? NVVM::LoadCacheModifierKind::CG
                                  : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(*this, to, from, bytes, modifier, size);
}
void GpuBuilder::commitCopies() { NVVM::CpAsyncCommitGroupOp::create(*this); }
void GpuBuilder::waitCopies(int64_t pending) {
  NVVM::CpAsyncWaitGroupOp::create(*this, pending);
}

//===----------------------------------------------------------------------===//
// Tensor cores
//===----------------------------------------------------------------------===//

static Values parts(GpuBuilder &b, Value structure) {
  Values values;
  auto type = cast<LLVM::LLVMStructType>(structure.getType());
  for (int64_t i = 0; i < int64_t(type.getBody().size()); ++i)
    values.push_back(LLVM::ExtractValueOp::create(b, structure, i));
  return values;
}

Values GpuBuilder::loadMatrices(Value address, int64_t count, bool transposed) {
  SmallVector<Type> types(count, getI32Type());
  Type result = getI32Type();
  if (count > 1)
    result = LLVM::LLVMStructType::getLiteral(getContext(), types);
  Value loaded = NVVM::LdMatrixOp::create(
      *this, result, address, count,
      transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
  return count == 1 ? Values{loaded} : parts(*this, loaded);
}

Values GpuBuilder::asFactors(ValueRange registers, Type factor) {
  if (!factor.isTF32())
    return Values(registers);
  Values rounded;
  for (Value x : registers) {
    if (!x.getType().isF32())
      x = LLVM::BitcastOp::create(*this, getF32Type(), x);
    rounded.push_back(NVVM::ConvertFloatToTF32Op::create(
        *this, getI32Type(), x, NVVM::FPRoundingMode::RNA));
  }
  return rounded;
}

Value GpuBuilder::rounded(Value element, Type factor) {
  if (!factor.isTF32())
    return toF32(element);
  return LLVM::BitcastOp::create(*this, getF32Type(),
                                 asFactors(element, factor)[0]);
}

Values GpuBuilder::mma(ValueRange a, ValueRange b, ValueRange c, Type factor) {
  // The dialect takes tf32 and pairs of bf16 as i32, pairs of f16 as vectors.
  auto asOperands = [&](ValueRange registers) {
    Values operands;
    for (Value x : registers)
      operands.push_back(
          factor.isF16()
              ? LLVM::BitcastOp::create(*this, VectorType::get(2, factor), x)
              : x);
    return operands;
  };
  NVVM::MMATypes type = factor.isTF32()   ? NVVM::MMATypes::tf32
                        : factor.isBF16() ? NVVM::MMATypes::bf16
                                          : NVVM::MMATypes::f16;
  int64_t k = factor.isTF32() ? 8 : 16;
  SmallVector<Type> results(4, getF32Type());
  Value made = NVVM::MmaOp::create(
      *this, LLVM::LLVMStructType::getLiteral(getContext(), results),
      asOperands(a), asOperands(b), c, ArrayRef<int64_t>{16, 8, k},
      std::nullopt, std::nullopt, std::array<NVVM::MMATypes, 2>{type, type},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  return parts(*this, made);
}
