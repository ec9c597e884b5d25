//===- Numbers.cpp - floating-point numbers and packed pairs --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// f16 and bf16 are computed with as f32. The sum, difference, product and
// quotient of two of them, rounded to f32 and then to their own type, is the
// same as rounded once: f32 has more than twice their digits. A fused
// multiply-add is not of this kind (Helpers.h, fmaOdd).
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

namespace nvemu::jit {

bool isFloat(Type type) {
  switch (type) {
  case Type::F16:
  case Type::F16x2:
  case Type::BF16:
  case Type::BF16x2:
  case Type::TF32:
  case Type::F32:
  case Type::F64:
  case Type::E4M3x2:
  case Type::E5M2x2:
    return true;
  default:
    return false;
  }
}

bool isSigned(Type type) { return type == Type::S8 || type == Type::S16 || type == Type::S32 || type == Type::S64; }

unsigned lanesOf(Type type) {
  return type == Type::F16x2 || type == Type::BF16x2 || type == Type::E4M3x2 || type == Type::E5M2x2 ? 2 : 1;
}

Type laneOf(Type type) { return type == Type::F16x2 ? Type::F16 : type == Type::BF16x2 ? Type::BF16 : type; }

Value *Translator::constant(Value *like, double number) { return llvm::ConstantFP::get(like->getType(), number); }

Value *Translator::intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Value *> arguments) {
  return b.CreateIntrinsic(id, {arguments[0]->getType()}, arguments);
}

Value *Translator::toFloat(Value *bits, Type type) {
  switch (type) {
  case Type::F64:
    return b.CreateBitCast(bits, b.getDoubleTy());
  case Type::F16:
    return b.CreateFPExt(b.CreateBitCast(bits, b.getHalfTy()), b.getFloatTy());
  case Type::BF16:
    return b.CreateBitCast(b.CreateShl(b.CreateZExt(bits, b.getInt32Ty()), 16), b.getFloatTy());
  default:
    return b.CreateBitCast(bits, b.getFloatTy());
  }
}

/// The f32 to nearest even, in integers: the upper half plus what it rounds to.
static Value *roundToBf16(Translator &t, Value *number) {
  Value *bits = t.b.CreateBitCast(number, t.b.getInt32Ty());
  Value *odd = t.b.CreateAnd(t.b.CreateLShr(bits, 16), 1);
  Value *sum = t.b.CreateAdd(bits, t.b.CreateAdd(odd, t.b.getInt32(0x7fff)));
  return t.b.CreateTrunc(t.b.CreateLShr(sum, 16), t.b.getInt16Ty());
}

Value *Translator::fromFloat(Value *number, Type type) {
  Value *isNan = b.CreateFCmpUNO(number, number);
  switch (type) {
  case Type::F64:
    return b.CreateBitCast(number, b.getInt64Ty());
  case Type::F16: {
    Value *half = b.CreateFPTrunc(number, b.getHalfTy());
    return b.CreateSelect(isNan, b.getInt16(0x7fff), b.CreateBitCast(half, b.getInt16Ty()));
  }
  case Type::BF16:
    return b.CreateSelect(isNan, b.getInt16(0x7fff), roundToBf16(*this, number));
  default: {
    Value *nan =
        llvm::ConstantFP::get(unit.context, llvm::APFloat(llvm::APFloat::IEEEsingle(), llvm::APInt(32, 0x7fffffff)));
    return b.CreateBitCast(b.CreateSelect(isNan, nan, number), b.getInt32Ty());
  }
  }
}

Value *Translator::flush(Value *number) {
  Value *isSmall = b.CreateFCmpOLT(intrinsic(llvm::Intrinsic::fabs, {number}), constant(number, 0x1p-126));
  Value *zero = intrinsic(llvm::Intrinsic::copysign, {constant(number, 0.0), number});
  return b.CreateSelect(isSmall, zero, number);
}

Value *Translator::flushBits(Value *bits, Type type) {
  if (type == Type::F32)
    return b.CreateBitCast(flush(toFloat(bits, type)), b.getInt32Ty());
  uint64_t exponent = type == Type::F16 ? 0x7c00 : type == Type::BF16 ? 0x7f80 : 0x7ff0'0000'0000'0000;
  uint64_t sign = uint64_t(1) << (ptx::bitsOf(type) - 1);
  Value *isSmall = b.CreateICmpEQ(b.CreateAnd(bits, integer(type, exponent)), integer(type, 0));
  return b.CreateSelect(isSmall, b.CreateAnd(bits, integer(type, sign)), bits);
}

Value *Translator::saturate(Value *number) {
  number = intrinsic(llvm::Intrinsic::maximumnum, {number, constant(number, 0.0)});
  return intrinsic(llvm::Intrinsic::minimumnum, {number, constant(number, 1.0)});
}

Value *Translator::relu(Value *number) { return intrinsic(llvm::Intrinsic::maximum, {number, constant(number, 0.0)}); }

Value *Translator::lane(Value *packed, unsigned i) {
  return b.CreateTrunc(b.CreateLShr(packed, 16 * i), b.getInt16Ty());
}

Value *Translator::pack(Value *low, Value *high) {
  Value *upper = b.CreateShl(b.CreateZExt(high, b.getInt32Ty()), 16);
  return b.CreateOr(upper, b.CreateZExt(low, b.getInt32Ty()));
}

Value *Translator::eachLane(Type type, llvm::ArrayRef<Value *> sources,
                            llvm::function_ref<Value *(llvm::ArrayRef<Value *>)> make) {
  if (lanesOf(type) == 1)
    return make(sources);
  Value *results[2];
  for (unsigned i = 0; i < 2; ++i) {
    llvm::SmallVector<Value *, 3> lanes;
    for (Value *source : sources)
      lanes.push_back(lane(source, i));
    results[i] = make(lanes);
  }
  return pack(results[0], results[1]);
}

} // namespace nvemu::jit
