//===- Bf16Bits.cpp - values of bf16 become 16 bits -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Arithmetic is f32, so that all that is left of bf16 in the LLVM dialect is
// moved: loaded, stored, chosen, handed from block to block. To LLVM even such
// a value may be an f32 in a register that is rounded when it is stored.
//
//===----------------------------------------------------------------------===//

#include "HalfBits.h"

#include "nax/Conversion/ExpandKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"

namespace nax {
#define GEN_PASS_DEF_BF16BITS
#include "nax/Conversion/ExpandKernels.h.inc"
} // namespace nax

using namespace mlir;

void nax::replaceByBits(ModuleOp module, FloatType half) {
  auto bits = IntegerType::get(module.getContext(), 16);
  AttrTypeReplacer replacer;
  replacer.addReplacement([=](FloatType type) -> std::optional<Type> {
    if (type != half)
      return std::nullopt;
    return bits;
  });
  replacer.addReplacement([=](FloatAttr number) -> std::optional<Attribute> {
    if (number.getType() != half)
      return std::nullopt;
    return IntegerAttr::get(bits, number.getValue().bitcastToAPInt());
  });
  replacer.addReplacement(
      [=](DenseFPElementsAttr numbers) -> std::optional<Attribute> {
        if (numbers.getElementType() != half)
          return std::nullopt;
        return numbers.bitcast(bits);
      });

  // Instructions that take such numbers, and which.
  SmallVector<std::pair<OpOperand *, Type>> taken;
  module.walk([&](LLVM::CallIntrinsicOp call) {
    for (OpOperand &operand : call->getOpOperands())
      if (getElementTypeOrSelf(operand.get().getType()) == half)
        taken.push_back({&operand, operand.get().getType()});
  });
  SmallVector<LLVM::BitcastOp> casts;
  module.walk([&](Operation *op) {
    if (op == module)
      return;
    replacer.replaceElementsIn(op, /*replaceAttrs=*/true,
                               /*replaceLocs=*/false, /*replaceTypes=*/true);
    if (auto cast = dyn_cast<LLVM::BitcastOp>(op))
      casts.push_back(cast);
  });
  for (LLVM::BitcastOp cast : casts) {
    if (cast.getArg().getType() != cast.getType())
      continue;
    cast.replaceAllUsesWith(cast.getArg());
    cast.erase();
  }
  for (auto [operand, type] : taken) {
    OpBuilder b(operand->getOwner());
    operand->set(LLVM::BitcastOp::create(b, operand->getOwner()->getLoc(), type,
                                         operand->get()));
  }
}

namespace {

struct Bf16Bits final : nax::impl::Bf16BitsBase<Bf16Bits> {
  void runOnOperation() override {
    nax::replaceByBits(getOperation(), BFloat16Type::get(&getContext()));
  }
};

} // namespace
