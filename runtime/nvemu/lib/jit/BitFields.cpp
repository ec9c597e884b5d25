//===- BitFields.cpp - bit fields, counts of bits, permuted bytes ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, Integer Arithmetic Instructions (popc to bmsk) and prmt.
//
//===----------------------------------------------------------------------===//

#include "Opcodes.h"
#include "Translator.h"

namespace nvemu::jit {
namespace {

/// .b32 or .b64.
Type takeBits(Translator &t) {
  Type type = t.takeType();
  if (type != Type::B32 && type != Type::B64)
    t.fail("its type is .b32 or .b64");
  return type;
}

/// A signed or unsigned integer of 32 or 64 bits.
Type takeInteger(Translator &t) {
  Type type = t.takeType();
  if (type != Type::U32 && type != Type::S32 && type != Type::U64 && type != Type::S64)
    t.fail("its type is .u32, .s32, .u64 or .s64");
  return type;
}

/// The lowest `count` bits as i64; 64 of them for a count of 64 or more.
Value *maskOf(Translator &t, Value *count) {
  Value *isAll = t.b.CreateICmpUGE(count, t.b.getInt64(64));
  Value *ones = t.b.getInt64(~uint64_t(0));
  return t.b.CreateSelect(isAll, ones, t.b.CreateNot(t.b.CreateShl(ones, count)));
}

Value *shiftOr0(Translator &t, Value *value, Value *amount, bool isLeft) {
  Value *isAll = t.b.CreateICmpUGE(amount, t.b.getInt64(64));
  Value *shifted = isLeft ? t.b.CreateShl(value, amount) : t.b.CreateLShr(value, amount);
  return t.b.CreateSelect(isAll, t.b.getInt64(0), shifted);
}

/// The lower eight bits of an operand: where a field begins or how long it is.
Value *byteOf(Translator &t, size_t i) {
  if (t.operand(i).kind == Operand::Kind::Integer && t.operand(i).bits > 255)
    t.fail("where a field begins and how long it is are numbers from 0 to 255");
  return t.resize(t.b.CreateAnd(t.read(i, Type::U32), 255), 64);
}

/// The byte of the pair b:a that a selector of four bits means; bit 3 asks for
/// its sign, eight times.
Value *selected(Translator &t, Value *pair, Value *selector) {
  Value *wide = t.resize(selector, 64);
  Value *shift = t.b.CreateShl(t.b.CreateAnd(wide, 7), 3);
  Value *byte = t.resize(t.b.CreateLShr(pair, shift), 8);
  Value *sign = t.b.CreateAShr(byte, 7);
  Value *asksSign = t.b.CreateICmpNE(t.b.CreateAnd(wide, 8), t.b.getInt64(0));
  return t.resize(t.b.CreateSelect(asksSign, sign, byte), 32);
}

/// Byte i of prmt's modes, for the selector s of two bits (PTX ISA, prmt).
Value *modeSelector(Translator &t, llvm::StringRef mode, unsigned i, Value *s) {
  Value *place = t.b.getInt32(i);
  if (mode == "f4e")
    return t.b.CreateAdd(s, place);
  if (mode == "b4e")
    return t.b.CreateAnd(t.b.CreateSub(s, place), 7);
  if (mode == "rc8")
    return s;
  if (mode == "ecl")
    return t.intrinsic(llvm::Intrinsic::umax, {s, place});
  if (mode == "ecr")
    return t.intrinsic(llvm::Intrinsic::umin, {s, place});
  Value *half = t.b.CreateShl(t.b.CreateAnd(s, 1), 1); // rc16
  return t.b.CreateOr(half, t.b.getInt32(i & 1));
}

} // namespace

void emitPrmt(Translator &t) {
  if (t.takeType() != Type::B32)
    t.fail("its type is .b32");
  llvm::StringRef mode = t.takeOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  if (!t.finish(4))
    return;
  auto *wide = t.b.getInt64Ty();
  Value *low = t.b.CreateZExt(t.read(1, Type::B32), wide);
  Value *high = t.b.CreateZExt(t.read(2, Type::B32), wide);
  Value *pair = t.b.CreateOr(t.b.CreateShl(high, 32), low);
  Value *control = t.read(3, Type::B32), *result = t.b.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value *selector = mode.empty() ? t.b.CreateAnd(t.b.CreateLShr(control, 4 * i), 15)
                                   : modeSelector(t, mode, i, t.b.CreateAnd(control, 3));
    Value *byte = t.b.CreateAnd(selected(t, pair, selector), 255);
    result = t.b.CreateOr(result, t.b.CreateShl(byte, 8 * i));
  }
  t.write(0, Type::B32, result);
}

/// `length` bits of a from `start`; beyond them, and beyond a's top, zeros or,
/// of a signed type, the topmost bit of the field that a has.
void emitBfe(Translator &t) {
  Type type = takeInteger(t);
  if (!t.finish(4))
    return;
  unsigned bits = ptx::bitsOf(type);
  Value *value = t.resize(t.read(1, type), 64);
  Value *start = byteOf(t, 2), *length = byteOf(t, 3);
  Value *field = t.b.CreateAnd(shiftOr0(t, value, start, false), maskOf(t, length));
  if (isSigned(type)) {
    Value *last = t.b.CreateSub(t.b.CreateAdd(start, length), t.b.getInt64(1));
    last = t.intrinsic(llvm::Intrinsic::umin, {last, t.b.getInt64(bits - 1)});
    Value *isEmpty = t.b.CreateICmpEQ(length, t.b.getInt64(0));
    last = t.b.CreateSelect(isEmpty, t.b.getInt64(0), last);
    Value *sign = t.resize(t.b.CreateLShr(value, last), 1);
    sign = t.b.CreateAnd(sign, t.b.CreateNot(isEmpty));
    // The field has length bits, or fewer where a ends before.
    Value *own = t.b.CreateSub(t.b.getInt64(bits), start);
    own = t.intrinsic(llvm::Intrinsic::smax, {own, t.b.getInt64(0)});
    own = t.intrinsic(llvm::Intrinsic::umin, {own, length});
    Value *above = t.b.CreateNot(maskOf(t, own));
    field = t.b.CreateOr(field, t.b.CreateAnd(above, t.resize(sign, 64, true)));
  }
  t.write(0, type, t.resize(field, bits));
}

/// b with its bits from `start`, `length` of them, taken from a's lowest.
void emitBfi(Translator &t) {
  Type type = takeBits(t);
  if (!t.finish(5))
    return;
  Value *from = t.resize(t.read(1, type), 64), *to = t.resize(t.read(2, type), 64);
  Value *start = byteOf(t, 3), *length = byteOf(t, 4);
  Value *mask = shiftOr0(t, maskOf(t, length), start, true);
  Value *moved = t.b.CreateAnd(shiftOr0(t, from, start, true), mask);
  Value *kept = t.b.CreateAnd(to, t.b.CreateNot(mask));
  t.write(0, type, t.resize(t.b.CreateOr(kept, moved), ptx::bitsOf(type)));
}

/// The place of the topmost bit that is not the sign, all ones where there is
/// none; with .shiftamt how far it is from the top.
void emitBfind(Translator &t) {
  bool isShift = t.take("shiftamt");
  Type type = takeInteger(t);
  if (!t.finish(2))
    return;
  unsigned bits = ptx::bitsOf(type);
  Value *value = t.read(1, type);
  if (isSigned(type))
    value = t.b.CreateXor(value, t.b.CreateAShr(value, bits - 1));
  Value *zeros = t.b.CreateIntrinsic(llvm::Intrinsic::ctlz, {value->getType()}, {value, t.b.getFalse()});
  zeros = t.resize(zeros, 32);
  Value *place = isShift ? zeros : t.b.CreateSub(t.b.getInt32(bits - 1), zeros);
  Value *isNone = t.b.CreateICmpEQ(value, t.integer(type, 0));
  t.write(0, Type::U32, t.b.CreateSelect(isNone, t.b.getInt32(~0u), place));
}

void emitBrev(Translator &t) {
  Type type = takeBits(t);
  if (t.finish(2))
    t.write(0, type, t.intrinsic(llvm::Intrinsic::bitreverse, {t.read(1, type)}));
}

void emitClz(Translator &t) {
  Type type = takeBits(t);
  if (!t.finish(2))
    return;
  Value *value = t.read(1, type);
  Value *zeros = t.b.CreateIntrinsic(llvm::Intrinsic::ctlz, {value->getType()}, {value, t.b.getFalse()});
  t.write(0, Type::U32, t.resize(zeros, 32));
}

void emitPopc(Translator &t) {
  Type type = takeBits(t);
  if (t.finish(2))
    t.write(0, Type::U32, t.resize(t.intrinsic(llvm::Intrinsic::ctpop, {t.read(1, type)}), 32));
}

/// a extended from its lowest b bits.
void emitSzext(Translator &t) {
  llvm::StringRef mode = t.takeOf({"clamp", "wrap"});
  Type type = t.takeType();
  if (mode.empty() || (type != Type::U32 && type != Type::S32))
    t.fail("it has .clamp or .wrap, and .u32 or .s32");
  if (!t.finish(3))
    return;
  Value *count = t.read(2, Type::U32);
  count = mode == "wrap" ? t.b.CreateAnd(count, 31) : t.intrinsic(llvm::Intrinsic::umin, {count, t.b.getInt32(32)});
  // As 64 bits, in which no shift is by too much.
  Value *shift = t.b.CreateSub(t.b.getInt64(64), t.resize(count, 64));
  Value *isEmpty = t.b.CreateICmpEQ(count, t.b.getInt32(0));
  Value *upper = t.b.CreateShl(t.resize(t.read(1, type), 64), shift);
  Value *value = isSigned(type) ? t.b.CreateAShr(upper, shift) : t.b.CreateLShr(upper, shift);
  t.write(0, type, t.resize(t.b.CreateSelect(isEmpty, t.b.getInt64(0), value), 32));
}

/// b ones from bit a.
void emitBmsk(Translator &t) {
  llvm::StringRef mode = t.takeOf({"clamp", "wrap"});
  if (t.takeType() != Type::B32 || mode.empty())
    t.fail("it has .clamp or .wrap, and .b32");
  if (!t.finish(3))
    return;
  Value *limits[2];
  for (int i = 0; i < 2; ++i) {
    Value *limit = t.read(i + 1, Type::U32);
    limit = mode == "wrap" ? t.b.CreateAnd(limit, 31) : t.intrinsic(llvm::Intrinsic::umin, {limit, t.b.getInt32(32)});
    limits[i] = t.resize(limit, 64);
  }
  Value *mask = t.b.CreateShl(maskOf(t, limits[1]), limits[0]);
  t.write(0, Type::U32, t.resize(mask, 32));
}

} // namespace nvemu::jit
