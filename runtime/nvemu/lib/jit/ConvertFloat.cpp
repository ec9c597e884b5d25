//===- ConvertFloat.cpp - conversions from and to floats ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Convert.h"

namespace nvemu::jit {
namespace {

bool isEight(Type type) { return type == Type::E4M3x2 || type == Type::E5M2x2; }

/// A double or float to an integral value of it.
Value *toIntegral(Translator &t, Rounding rounding, Value *number) {
  switch (rounding) {
  case Rounding::Zero:
    return t.intrinsic(llvm::Intrinsic::trunc, {number});
  case Rounding::Down:
    return t.intrinsic(llvm::Intrinsic::floor, {number});
  case Rounding::Up:
    return t.intrinsic(llvm::Intrinsic::ceil, {number});
  default:
    return t.intrinsic(llvm::Intrinsic::roundeven, {number});
  }
}

/// By APFloat: right for every pair of types and every rounding, and slow.
Value *bySoftware(Translator &t, const Conversion &form, Value *bits, Type from) {
  return t.call("nvemu_convert", t.b.getInt64Ty(),
                {t.resize(bits, 64), t.b.getInt32(uint32_t(from)), t.b.getInt32(uint32_t(form.to)),
                 t.b.getInt32(uint32_t(form.rounding))});
}

/// Bits of an f32 without the 13 that tf32 does not have.
Value *roundToTf32(Translator &t, Rounding rounding, Value *number) {
  Value *bits = t.b.CreateBitCast(number, t.b.getInt32Ty());
  Value *half = t.b.getInt32(0);
  if (rounding == Rounding::NearestAway)
    half = t.b.getInt32(0x1000);
  else if (rounding == Rounding::Nearest)
    half = t.b.CreateAdd(t.b.getInt32(0xfff), t.b.CreateAnd(t.b.CreateLShr(bits, 13), 1));
  else if (rounding != Rounding::Zero)
    t.fail(".tf32 is rounded by .rn, .rna or .rz");
  Value *result = t.b.CreateAnd(t.b.CreateAdd(bits, half), 0xffffe000);
  return t.b.CreateSelect(t.b.CreateFCmpUNO(number, number), t.b.getInt32(0x7fffffff), result);
}

double largestOf(Type type) {
  switch (type) {
  case Type::F16:
    return 65504;
  case Type::E4M3x2:
    return 448;
  case Type::E5M2x2:
    return 57344;
  case Type::TF32:
    return 0x1.ffcp127;
  default:
    return 0x1.fep127; // bf16
  }
}

/// Everything beyond the largest number becomes it; NaN stays.
Value *clampFinite(Translator &t, Type type, Value *number) {
  double most = largestOf(type);
  number = t.intrinsic(llvm::Intrinsic::minimum, {number, t.constant(number, most)});
  return t.intrinsic(llvm::Intrinsic::maximum, {number, t.constant(number, -most)});
}

/// `number` is a float, or a double where `from` is F64.
Value *narrow(Translator &t, const Conversion &form, Type from, Value *number) {
  bool isNearest = form.rounding == Rounding::Nearest;
  Type to = form.to;
  if (to == Type::F64)
    return t.fromFloat(from == Type::F64 ? number : t.b.CreateFPExt(number, t.b.getDoubleTy()), to);
  if (from != Type::F64 && to == Type::TF32)
    return roundToTf32(t, form.rounding, number);
  if (from != Type::F64 && (to == Type::F32 || (isNearest && !isEight(to))))
    return t.fromFloat(number, to);
  if (to == Type::F32 && isNearest)
    return t.fromFloat(t.b.CreateFPTrunc(number, t.b.getFloatTy()), to);
  if (to == Type::TF32)
    t.fail("nvemu knows .tf32 of .f32 alone");

  Value *isNan = t.b.CreateFCmpUNO(number, number);
  unsigned width = isEight(to) ? 8 : ptx::bitsOf(to);
  auto *type = t.integerType(from == Type::F64 ? 64 : 32);
  Value *bits = bySoftware(t, form, t.b.CreateBitCast(number, type), from == Type::F64 ? Type::F64 : Type::F32);
  Value *nan = t.b.getIntN(width, (uint64_t(1) << (width - 1)) - 1);
  return t.b.CreateSelect(isNan, nan, t.resize(bits, width));
}

} // namespace

Value *convertFloat(Translator &t, const Conversion &form, Value *bits) {
  Type from = form.from;
  if (isEight(from)) { // exact in f32, from where it goes on
    Conversion widen;
    widen.to = Type::F32;
    bits = t.resize(bySoftware(t, widen, bits, from), 32);
    from = Type::F32;
  }
  if (form.flushes && from == Type::F32)
    bits = t.flushBits(bits, from);
  Value *number = t.toFloat(bits, from);
  if (form.toIntegral)
    number = toIntegral(t, form.rounding, number);
  if (form.saturates)
    number = t.saturate(number);
  if (form.isRelu)
    number = t.relu(number);
  if (form.isFinite)
    number = clampFinite(t, form.to, number);
  Conversion rest = form;
  if (form.toIntegral)
    rest.rounding = Rounding::Nearest; // exact already
  bits = narrow(t, rest, from, number);
  return form.flushes && form.to == Type::F32 ? t.flushBits(bits, Type::F32) : bits;
}

/// What does not fit becomes the nearest number that does. NaN becomes 0, but
/// the topmost bit alone where one of the types has 64 bits (PTX ISA, cvt).
Value *floatToInteger(Translator &t, const Conversion &form, Value *bits) {
  if (isEight(form.from)) {
    t.fail("nvemu does not know this conversion");
    return t.integer(form.to, 0);
  }
  if (!form.toIntegral)
    t.fail("one of .rni, .rzi, .rmi and .rpi is missing");
  if (form.flushes)
    bits = t.flushBits(bits, form.from);
  Value *number = toIntegral(t, form.rounding, t.toFloat(bits, form.from));
  unsigned width = ptx::bitsOf(form.to);
  llvm::Type *types[] = {t.integerType(width), number->getType()};
  Value *result = t.b.CreateIntrinsic(isSigned(form.to) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                                      types, {number});
  if (form.from != Type::F64 && width != 64)
    return result;
  return t.b.CreateSelect(t.b.CreateFCmpUNO(number, number), t.integer(form.to, uint64_t(1) << (width - 1)), result);
}

Value *integerToFloat(Translator &t, const Conversion &form, Value *bits) {
  unsigned width = ptx::bitsOf(form.from);
  bool hasSign = isSigned(form.from);
  Type to = form.to;
  if (to == Type::TF32 || isEight(to)) {
    t.fail("nvemu does not know this conversion");
    return t.b.getInt32(0);
  }
  Value *result;
  bool isHalf = to == Type::F16 || to == Type::BF16;
  if (form.rounding == Rounding::Nearest && (!isHalf || width <= 16)) {
    auto *type = to == Type::F64 ? t.b.getDoubleTy() : t.b.getFloatTy();
    Value *number = hasSign ? t.b.CreateSIToFP(bits, type) : t.b.CreateUIToFP(bits, type);
    result = t.fromFloat(number, to);
  } else {
    result = t.call("nvemu_convert_integer", t.b.getInt64Ty(),
                    {t.resize(bits, 64, hasSign), t.b.getInt32(hasSign), t.b.getInt32(uint32_t(to)),
                     t.b.getInt32(uint32_t(form.rounding))});
    result = t.resize(result, ptx::bitsOf(to));
  }
  if (!form.saturates)
    return result;
  return t.fromFloat(t.saturate(t.toFloat(result, to)), to);
}

} // namespace nvemu::jit
