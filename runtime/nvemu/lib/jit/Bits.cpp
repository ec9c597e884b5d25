//===- Bits.cpp - logic and shifts ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, Logic and Shift Instructions.
//
//===----------------------------------------------------------------------===//

#include "Opcodes.h"
#include "Translator.h"

namespace nvemu::jit {
namespace {

Type takeLogic(Translator &t) {
  Type type = t.takeType();
  if (type != Type::Pred && type != Type::B16 && type != Type::B32 && type != Type::B64)
    t.fail("its type is .pred, .b16, .b32 or .b64");
  return type;
}

Type takeNumber(Translator &t) {
  Type type = takeLogic(t);
  if (type == Type::Pred)
    t.fail("its type is .b16, .b32 or .b64");
  return type;
}

void logic(Translator &t, llvm::Instruction::BinaryOps opcode) {
  Type type = takeLogic(t);
  if (t.finish(3))
    t.write(0, type, t.b.CreateBinOp(opcode, t.read(1, type), t.read(2, type)));
}

/// The amount of a shift, as an integer as wide as what is shifted. It is a
/// 32-bit number for every type.
Value *amountOf(Translator &t, size_t operand, Value *&isAll, unsigned bits) {
  Value *amount = t.read(operand, Type::U32);
  isAll = t.b.CreateICmpUGE(amount, t.b.getInt32(bits));
  return t.resize(amount, bits);
}

/// A bit of the truth table for each of the eight combinations of inputs, as
/// masks: the sum over the rows that are 1.
Value *lookUp(Translator &t, Value *x, Value *y, Value *z, uint64_t table) {
  Value *result = t.b.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (!(table >> row & 1))
      continue;
    Value *term = row & 4 ? x : t.b.CreateNot(x);
    term = t.b.CreateAnd(term, row & 2 ? y : t.b.CreateNot(y));
    term = t.b.CreateAnd(term, row & 1 ? z : t.b.CreateNot(z));
    result = t.b.CreateOr(result, term);
  }
  return result;
}

} // namespace

void emitAnd(Translator &t) { logic(t, llvm::Instruction::And); }
void emitOr(Translator &t) { logic(t, llvm::Instruction::Or); }
void emitXor(Translator &t) { logic(t, llvm::Instruction::Xor); }

void emitNot(Translator &t) {
  Type type = takeLogic(t);
  if (t.finish(2))
    t.write(0, type, t.b.CreateNot(t.read(1, type)));
}

void emitCnot(Translator &t) {
  Type type = takeNumber(t);
  if (!t.finish(2))
    return;
  Value *isZero = t.b.CreateICmpEQ(t.read(1, type), t.integer(type, 0));
  t.write(0, type, t.resize(isZero, ptx::bitsOf(type)));
}

/// lop3.b32 d, a, b, c, table; and with .and or .or: d|p, ..., q, where
/// p = (d != 0) op q.
void emitLop3(Translator &t) {
  llvm::StringRef combine = t.takeOf({"and", "or"});
  if (t.takeType() != Type::B32)
    t.fail("its type is .b32");
  if (!t.finish(combine.empty() ? 5 : 6))
    return;
  if (t.operand(4).kind != Operand::Kind::Integer || t.operand(4).bits > 255)
    return t.fail("its table is a number from 0 to 255");
  Value *result = lookUp(t, t.read(1, Type::B32), t.read(2, Type::B32), t.read(3, Type::B32), t.operand(4).bits);
  if (combine.empty())
    return t.write(0, Type::B32, result);
  const Operand &pair = t.operand(0);
  if (pair.kind != Operand::Kind::Pair || pair.parts.size() != 2)
    return t.fail("its results are d|p");
  Value *any = t.b.CreateICmpNE(result, t.b.getInt32(0));
  Value *other = t.readPredicate(t.operand(5));
  t.write(pair.parts[0], Type::B32, result);
  t.write(pair.parts[1], Type::Pred, combine == "and" ? t.b.CreateAnd(any, other) : t.b.CreateOr(any, other));
}

void emitShl(Translator &t) {
  Type type = takeNumber(t);
  if (!t.finish(3))
    return;
  Value *isAll, *value = t.read(1, type);
  Value *amount = amountOf(t, 2, isAll, ptx::bitsOf(type));
  t.write(0, type, t.b.CreateSelect(isAll, t.integer(type, 0), t.b.CreateShl(value, amount)));
}

void emitShr(Translator &t) {
  Type type = t.takeType();
  unsigned bits = ptx::bitsOf(type);
  if (isFloat(type) || bits < 16 || bits > 64)
    t.fail("integers of 16, 32 or 64 bits are expected");
  if (!t.finish(3))
    return;
  Value *isAll, *value = t.read(1, type);
  Value *amount = amountOf(t, 2, isAll, bits);
  if (isSigned(type)) {
    amount = t.b.CreateSelect(isAll, t.integer(type, bits - 1), amount);
    return t.write(0, type, t.b.CreateAShr(value, amount));
  }
  t.write(0, type, t.b.CreateSelect(isAll, t.integer(type, 0), t.b.CreateLShr(value, amount)));
}

/// The pair b:a of 64 bits, shifted left (its upper half) or right (its lower).
void emitShf(Translator &t) {
  llvm::StringRef direction = t.takeOf({"l", "r"});
  llvm::StringRef mode = t.takeOf({"clamp", "wrap"});
  if (direction.empty() || mode.empty())
    t.fail("it has .l or .r, and .clamp or .wrap");
  if (t.takeType() != Type::B32)
    t.fail("its type is .b32");
  if (!t.finish(4))
    return;
  auto *wide = t.b.getInt64Ty();
  Value *low = t.b.CreateZExt(t.read(1, Type::B32), wide);
  Value *high = t.b.CreateZExt(t.read(2, Type::B32), wide);
  Value *pair = t.b.CreateOr(t.b.CreateShl(high, 32), low);
  Value *amount = t.read(3, Type::U32);
  amount = mode == "wrap" ? t.b.CreateAnd(amount, 31) : t.intrinsic(llvm::Intrinsic::umin, {amount, t.b.getInt32(32)});
  amount = t.b.CreateZExt(amount, wide);
  Value *result = direction == "l" ? t.b.CreateLShr(t.b.CreateShl(pair, amount), 32) : t.b.CreateLShr(pair, amount);
  t.write(0, Type::B32, t.resize(result, 32));
}

} // namespace nvemu::jit
