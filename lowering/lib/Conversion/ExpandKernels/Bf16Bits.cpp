//===- Bf16Bits.cpp - values of bf16 become 16 bits -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Arithmetic is f32, so that all that is left of bf16 in the LLVM dialect is
// moved: loaded, stored, chosen, handed from block to block. To LLVM even such
// a value may be an f32 in a register that is rounded when it is stored.
//
//===----------------------------------------------------------------------===//

#include "nax/Conversion/ExpandKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace nax {
#define GEN_PASS_DEF_BF16BITS
#include "nax/Conversion/ExpandKernels.h.inc"
} // namespace nax

using namespace mlir;

namespace {

struct Bf16Bits final : nax::impl::Bf16BitsBase<Bf16Bits> {
  void runOnOperation() override {
    auto bits = IntegerType::get(&getContext(), 16);
    AttrTypeReplacer replacer;
    replacer.addReplacement([=](BFloat16Type) -> Type { return bits; });
    replacer.addReplacement([=](FloatAttr number) -> std::optional<Attribute> {
      if (!number.getType().isBF16())
        return std::nullopt;
      return IntegerAttr::get(bits, number.getValue().bitcastToAPInt());
    });
    replacer.addReplacement(
        [=](DenseFPElementsAttr numbers) -> std::optional<Attribute> {
          if (!numbers.getElementType().isBF16())
            return std::nullopt;
          return numbers.bitcast(bits);
        });

    // An operation that computes with bf16 is malformed from here on, and the
    // verifier says so.
    SmallVector<LLVM::BitcastOp> casts;
    getOperation().walk([&](Operation *op) {
      if (op == getOperation())
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
  }
};

} // namespace
