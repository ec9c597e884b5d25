//===- F16Bits.cpp - values of f16 where no instruction converts them -----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// As for bf16, arithmetic is f32 and values of f16 are moved; what is left are
// conversions from and to f32, here by its bits (IEEE 754: f16 has 5 bits of
// exponent with bias 15, f32 has 8 with bias 127), and from whole numbers.
//
//===----------------------------------------------------------------------===//

#include "HalfBits.h"

#include "nax/Conversion/ExpandKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

namespace nax {
#define GEN_PASS_DEF_F16BITS
#include "nax/Conversion/ExpandKernels.h.inc"
} // namespace nax

using namespace mlir;

namespace {

/// Arithmetic on i32 and f32, or vectors of them, of one shape.
struct Bits {
  ImplicitLocOpBuilder b;
  Type narrow, word, single;

  Bits(Operation *op) : b(op->getLoc(), op) {
    auto shaped = [&](Type type) -> Type {
      auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
      return vector ? vector.clone(type) : type;
    };
    narrow = shaped(b.getI16Type());
    word = shaped(b.getI32Type());
    single = shaped(b.getF32Type());
  }

  Value k(int64_t value) {
    TypedAttr attr = b.getI32IntegerAttr(value);
    if (auto vector = dyn_cast<VectorType>(word))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return LLVM::ConstantOp::create(b, word, attr);
  }
  Value bitsOf(Value x) { return LLVM::BitcastOp::create(b, word, x); }
  Value floatOf(Value x) { return LLVM::BitcastOp::create(b, single, x); }
  Value andi(Value x, Value y) { return LLVM::AndOp::create(b, x, y); }
  Value ori(Value x, Value y) { return LLVM::OrOp::create(b, x, y); }
  Value addi(Value x, Value y) { return LLVM::AddOp::create(b, x, y); }
  Value subi(Value x, Value y) { return LLVM::SubOp::create(b, x, y); }
  Value shl(Value x, int64_t n) { return LLVM::ShlOp::create(b, x, k(n)); }
  Value shr(Value x, int64_t n) { return LLVM::LShrOp::create(b, x, k(n)); }
  /// Whether x < y, both below 2^31.
  Value less(Value x, Value y) {
    return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::slt, x, y);
  }
  Value select(Value c, Value x, Value y) {
    return LLVM::SelectOp::create(b, c, x, y);
  }

  Value toF32(Value half) {
    Value x =
        LLVM::ZExtOp::create(b, word, LLVM::BitcastOp::create(b, narrow, half));
    Value size = andi(x, k(0x7fff)), sign = shl(andi(x, k(0x8000)), 16);
    // The bits at their new place, times 2^(127 - 15): subnormal ones, too.
    Value moved = shl(size, 13);
    Value finite =
        bitsOf(LLVM::FMulOp::create(b, floatOf(moved), floatOf(k(0x77800000))));
    Value other = ori(moved, k(0x7f800000)); // infinity, or a NaN
    Value isFinite = less(size, k(0x7c00));
    return floatOf(ori(select(isFinite, finite, other), sign));
  }

  /// To the nearest, ties to even.
  Value toF16(Value x) {
    Value bits = bitsOf(x);
    Value size = andi(bits, k(0x7fffffff));
    Value sign = shr(andi(bits, k(int32_t(0x80000000))), 16);
    // The last bit that stays decides a tie.
    Value odd = andi(shr(size, 13), k(1));
    Value rebiased = subi(size, k((127 - 15) << 23));
    Value normal = shr(addi(addi(rebiased, k(0xfff)), odd), 13);
    // Below 2^-14: added to 1/2, whose last bit counts 2^-24, the sum rounds.
    Value half = k(0x3f000000);
    Value small = subi(
        bitsOf(LLVM::FAddOp::create(b, floatOf(size), floatOf(half))), half);
    Value isNan = less(k(0x7f800000), size);
    Value large = select(isNan, k(0x7e00), k(0x7c00));
    Value result = select(less(size, k(113 << 23)), small, normal);
    result = select(less(size, k((127 + 16) << 23)), result, large);
    Value half16 = LLVM::TruncOp::create(b, narrow, ori(result, sign));
    return LLVM::BitcastOp::create(b, halfType(), half16);
  }

  /// A whole number; one that f32 does not have is too large for f16.
  Value wholeToF16(Operation *op) {
    Value x = op->getOperand(0);
    return toF16(isa<LLVM::SIToFPOp>(op)
                     ? LLVM::SIToFPOp::create(b, single, x).getResult()
                     : LLVM::UIToFPOp::create(b, single, x).getResult());
  }

  Type halfType() {
    auto vector = dyn_cast<VectorType>(word);
    Type type = b.getF16Type();
    return vector ? vector.clone(type) : type;
  }
};

struct F16Bits final : nax::impl::F16BitsBase<F16Bits> {
  void runOnOperation() override {
    SmallVector<Operation *> conversions;
    getOperation().walk([&](Operation *op) {
      if (isa<LLVM::FPExtOp, LLVM::FPTruncOp, LLVM::SIToFPOp, LLVM::UIToFPOp>(
              op))
        conversions.push_back(op);
    });
    for (Operation *op : conversions) {
      Value x = op->getOperand(0);
      Type from = getElementTypeOrSelf(x.getType());
      Type to = getElementTypeOrSelf(op->getResult(0).getType());
      Value result;
      if (from.isF16() && to.isF32())
        result = Bits(op).toF32(x);
      else if (from.isF32() && to.isF16())
        result = Bits(op).toF16(x);
      else if (from.isInteger() && to.isF16())
        result = Bits(op).wholeToF16(op);
      else
        continue;
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    }
    nax::replaceByBits(getOperation(), Float16Type::get(&getContext()));
  }
};

} // namespace
