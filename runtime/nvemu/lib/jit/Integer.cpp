//===- Integer.cpp - arithmetic of integers -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, Integer Arithmetic Instructions. Opcodes that floats have too are
// sorted here: the type decides.
//
//===----------------------------------------------------------------------===//

#include "Opcodes.h"
#include "Translator.h"

namespace nvemu::jit {
namespace {

bool isFloatNext(Translator &t) {
  std::optional<Type> type = t.nextType();
  return type && isFloat(*type);
}

/// A signed or unsigned integer type; numbers of 8 bits and mere bits have no arithmetic.
Type takeInteger(Translator &t) {
  Type type = t.takeType();
  if (type < Type::U16 || type > Type::S64 || type == Type::S8)
    t.fail("signed or unsigned integers of 16, 32 or 64 bits are expected");
  return type;
}

Type takeSigned(Translator &t) {
  Type type = takeInteger(t);
  if (!isSigned(type))
    t.fail("only signed integers have it");
  return type;
}

/// u16x2 or s16x2: two integers in a register of 32 bits.
bool takePair(Translator &t, Type &lane) {
  if (t.take("s16x2"))
    lane = Type::S16;
  else if (t.take("u16x2"))
    lane = Type::U16;
  else
    return false;
  return true;
}

using Binary = Value *(*)(Translator &, Type, Value *, Value *);

/// d = a op b of 16, 32 or 64 bits, or of pairs.
void binary(Translator &t, Binary make, bool hasPairs) {
  Type lane;
  bool isPair = hasPairs && takePair(t, lane);
  Type type = isPair ? Type::B32 : takeInteger(t);
  if (!t.finish(3))
    return;
  Value *x = t.read(1, type), *y = t.read(2, type);
  if (!isPair)
    return t.write(0, type, make(t, type, x, y));
  t.write(0, Type::B32, t.pack(make(t, lane, t.lane(x, 0), t.lane(y, 0)), make(t, lane, t.lane(x, 1), t.lane(y, 1))));
}

Value *add(Translator &t, Type, Value *x, Value *y) { return t.b.CreateAdd(x, y); }
Value *sub(Translator &t, Type, Value *x, Value *y) { return t.b.CreateSub(x, y); }
Value *addSaturated(Translator &t, Type, Value *x, Value *y) { return t.intrinsic(llvm::Intrinsic::sadd_sat, {x, y}); }
Value *subSaturated(Translator &t, Type, Value *x, Value *y) { return t.intrinsic(llvm::Intrinsic::ssub_sat, {x, y}); }
Value *minimum(Translator &t, Type type, Value *x, Value *y) {
  return t.intrinsic(isSigned(type) ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, {x, y});
}
Value *maximum(Translator &t, Type type, Value *x, Value *y) {
  return t.intrinsic(isSigned(type) ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, {x, y});
}
template <Binary Make>
Value *notNegative(Translator &t, Type type, Value *x, Value *y) {
  Value *value = Make(t, type, x, y);
  return t.intrinsic(llvm::Intrinsic::smax, {value, t.integer(type, 0)});
}

/// The host traps for a divisor of 0 and for the least number by -1. The code
/// that the hardware runs gives all ones for the former and wraps for the latter.
Value *divide(Translator &t, Type type, Value *x, Value *y, bool isRemainder) {
  Value *zero = t.integer(type, 0), *one = t.integer(type, 1);
  Value *isZero = t.b.CreateICmpEQ(y, zero);
  Value *divisor = t.b.CreateSelect(isZero, one, y), *result;
  if (isSigned(type)) {
    Value *isMinus = t.b.CreateICmpEQ(y, t.integer(type, ~uint64_t(0)));
    divisor = t.b.CreateSelect(isMinus, one, divisor);
    result = isRemainder ? t.b.CreateSRem(x, divisor) : t.b.CreateSDiv(x, divisor);
    result = t.b.CreateSelect(isMinus, isRemainder ? zero : t.b.CreateNeg(x), result);
  } else {
    result = isRemainder ? t.b.CreateURem(x, divisor) : t.b.CreateUDiv(x, divisor);
  }
  return t.b.CreateSelect(isZero, t.integer(type, ~uint64_t(0)), result);
}
Value *quotient(Translator &t, Type type, Value *x, Value *y) { return divide(t, type, x, y, false); }
Value *remainder(Translator &t, Type type, Value *x, Value *y) { return divide(t, type, x, y, true); }

void addOrSub(Translator &t, Binary plain, Binary saturated, bool hasPairs) {
  bool isSaturated = t.take("sat");
  if (isSaturated && t.nextType() != Type::S32)
    t.fail("only .s32 can be saturated");
  binary(t, isSaturated ? saturated : plain, hasPairs);
}

void minOrMax(Translator &t, Binary plain, Binary relu) {
  bool isRelu = t.take("relu");
  if (isRelu && t.nextType() != Type::S32 && !t.instruction().has("s16x2"))
    t.fail("only .s32 and .s16x2 have .relu");
  binary(t, isRelu ? relu : plain, true);
}

enum class Part { Low, High, Wide };

Part takePart(Translator &t) {
  llvm::StringRef name = t.takeOf({"lo", "hi", "wide"});
  if (name.empty())
    t.fail("one of .lo, .hi and .wide is missing");
  return name == "hi" ? Part::High : name == "wide" ? Part::Wide : Part::Low;
}

Value *multiply(Translator &t, Type type, Part part, Value *x, Value *y) {
  if (part == Part::Low)
    return t.b.CreateMul(x, y);
  unsigned bits = ptx::bitsOf(type);
  Value *product = t.b.CreateMul(t.resize(x, 2 * bits, isSigned(type)), t.resize(y, 2 * bits, isSigned(type)));
  return part == Part::Wide ? product : t.resize(t.b.CreateLShr(product, bits), bits);
}

/// The type of a .wide result.
Type doubled(Translator &t, Type type) {
  switch (type) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  case Type::S32:
    return Type::S64;
  default:
    t.fail(".wide has factors of 16 or 32 bits");
    return type;
  }
}

void multiplyAdd(Translator &t) {
  Part part = takePart(t);
  bool isSaturated = t.take("sat");
  Type type = takeInteger(t);
  Type wide = part == Part::Wide ? doubled(t, type) : type;
  if (isSaturated && (type != Type::S32 || part != Part::High))
    t.fail("only .hi.s32 can be saturated");
  if (!t.finish(4))
    return;
  Value *product = multiply(t, type, part, t.read(1, type), t.read(2, type));
  Value *addend = t.read(3, wide);
  t.write(0, wide, isSaturated ? addSaturated(t, type, product, addend) : t.b.CreateAdd(product, addend));
}

/// The product of the lower 24 bits of each: bits 0 to 31 or 16 to 47 of it.
Value *multiply24(Translator &t, Type type, bool isHigh) {
  Value *factors[2];
  for (int i = 0; i < 2; ++i) {
    Value *upper = t.b.CreateShl(t.resize(t.read(i + 1, type), 64), 40);
    factors[i] = isSigned(type) ? t.b.CreateAShr(upper, 40) : t.b.CreateLShr(upper, 40);
  }
  Value *product = t.b.CreateMul(factors[0], factors[1]);
  return t.resize(isHigh ? t.b.CreateLShr(product, 16) : product, 32);
}

bool take24(Translator &t, Type &type) {
  llvm::StringRef part = t.takeOf({"lo", "hi"});
  type = t.takeType();
  if (part.empty() || (type != Type::U32 && type != Type::S32))
    t.fail("it has .lo or .hi, and .u32 or .s32");
  return part == "hi";
}

} // namespace

void emitAdd(Translator &t) {
  if (t.take("cc"))
    return emitAddCarry(t);
  isFloatNext(t) ? emitFloatAdd(t) : addOrSub(t, add, addSaturated, true);
}

void emitSub(Translator &t) {
  if (t.take("cc"))
    return emitSubCarry(t);
  isFloatNext(t) ? emitFloatSub(t) : addOrSub(t, sub, subSaturated, false);
}

void emitMul(Translator &t) {
  if (isFloatNext(t))
    return emitFloatMul(t);
  Part part = takePart(t);
  Type type = takeInteger(t);
  Type wide = part == Part::Wide ? doubled(t, type) : type;
  if (t.finish(3))
    t.write(0, wide, multiply(t, type, part, t.read(1, type), t.read(2, type)));
}

void emitMad(Translator &t) {
  if (t.take("cc"))
    return emitMadCarry(t);
  isFloatNext(t) ? emitFma(t) : multiplyAdd(t);
}

void emitDiv(Translator &t) { isFloatNext(t) ? emitFloatDiv(t) : binary(t, quotient, false); }
void emitRem(Translator &t) { binary(t, remainder, false); }

void emitMin(Translator &t) { isFloatNext(t) ? emitFloatMin(t) : minOrMax(t, minimum, notNegative<minimum>); }
void emitMax(Translator &t) { isFloatNext(t) ? emitFloatMax(t) : minOrMax(t, maximum, notNegative<maximum>); }

void emitAbs(Translator &t) {
  if (isFloatNext(t))
    return emitFloatAbs(t);
  Type type = takeSigned(t);
  if (t.finish(2))
    t.write(0, type,
            t.b.CreateIntrinsic(llvm::Intrinsic::abs, {t.integerType(ptx::bitsOf(type))},
                                {t.read(1, type), t.b.getFalse()}));
}

void emitNeg(Translator &t) {
  if (isFloatNext(t))
    return emitFloatNeg(t);
  Type type = takeSigned(t);
  if (t.finish(2))
    t.write(0, type, t.b.CreateNeg(t.read(1, type)));
}

/// c + |a - b|
void emitSad(Translator &t) {
  Type type = takeInteger(t);
  if (!t.finish(4))
    return;
  Value *x = t.read(1, type), *y = t.read(2, type);
  Value *distance = t.b.CreateSub(maximum(t, type, x, y), minimum(t, type, x, y));
  t.write(0, type, t.b.CreateAdd(t.read(3, type), distance));
}

void emitMul24(Translator &t) {
  Type type;
  bool isHigh = take24(t, type);
  if (t.finish(3))
    t.write(0, type, multiply24(t, type, isHigh));
}

void emitMad24(Translator &t) {
  bool isSaturated = t.take("sat");
  Type type;
  bool isHigh = take24(t, type);
  if (isSaturated && (!isHigh || type != Type::S32))
    t.fail("only .hi.s32 can be saturated");
  if (!t.finish(4))
    return;
  Value *product = multiply24(t, type, isHigh), *addend = t.read(3, type);
  t.write(0, type, isSaturated ? addSaturated(t, type, product, addend) : t.b.CreateAdd(product, addend));
}

} // namespace nvemu::jit
