//===- Carry.cpp - sums with carry, dot products of bytes -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, Extended-Precision Integer Arithmetic Instructions. The condition
// code is one bit: the carry of a sum, the borrow of a difference.
//
//===----------------------------------------------------------------------===//

#include "Opcodes.h"
#include "Translator.h"

namespace nvemu::jit {
namespace {

Type takeInteger(Translator &t) {
  Type type = t.takeType();
  if (type != Type::U32 && type != Type::S32 && type != Type::U64 && type != Type::S64)
    t.fail("its type is .u32, .s32, .u64 or .s64");
  return type;
}

/// x + y (+ carry), or x - y (- borrow), one bit wider: the top one is the carry.
Value *sum(Translator &t, Type type, Value *x, Value *y, bool isSub, bool readsCarry, bool writesCarry) {
  unsigned bits = ptx::bitsOf(type);
  Value *wide = t.resize(x, bits + 1), *other = t.resize(y, bits + 1);
  wide = isSub ? t.b.CreateSub(wide, other) : t.b.CreateAdd(wide, other);
  if (readsCarry) {
    Value *carry = t.resize(t.b.CreateLoad(t.b.getInt1Ty(), t.carry()), bits + 1);
    wide = isSub ? t.b.CreateSub(wide, carry) : t.b.CreateAdd(wide, carry);
  }
  if (writesCarry)
    t.b.CreateStore(t.resize(t.b.CreateLShr(wide, bits), 1), t.carry());
  return t.resize(wide, bits);
}

void binary(Translator &t, bool isSub, bool readsCarry, bool writesCarry) {
  Type type = takeInteger(t);
  if (t.finish(3))
    t.write(0, type, sum(t, type, t.read(1, type), t.read(2, type), isSub, readsCarry, writesCarry));
}

void multiplyAdd(Translator &t, bool readsCarry, bool writesCarry) {
  llvm::StringRef part = t.takeOf({"lo", "hi"});
  if (part.empty())
    t.fail("one of .lo and .hi is missing");
  Type type = takeInteger(t);
  if (!t.finish(4))
    return;
  unsigned bits = ptx::bitsOf(type);
  Value *product = t.b.CreateMul(t.resize(t.read(1, type), 2 * bits, isSigned(type)),
                                 t.resize(t.read(2, type), 2 * bits, isSigned(type)));
  if (part == "hi")
    product = t.b.CreateLShr(product, bits);
  t.write(0, type, sum(t, type, t.resize(product, bits), t.read(3, type), false, readsCarry, writesCarry));
}

/// One factor of a dot product: `bits` bits at `position` of a register.
Value *element(Translator &t, Value *packed, unsigned position, unsigned bits, Type type) {
  return t.resize(t.resize(t.b.CreateLShr(packed, position), bits), 32, isSigned(type));
}

void dot(Translator &t, unsigned count, unsigned bits, unsigned start) {
  Type first = t.takeType(), second = t.takeType();
  for (Type type : {first, second})
    if (type != Type::U32 && type != Type::S32)
      t.fail("its types are .u32 or .s32");
  if (!t.finish(4))
    return;
  Value *x = t.read(1, first), *y = t.read(2, second);
  Value *total = t.read(3, first);
  for (unsigned i = 0; i < count; ++i)
    total = t.b.CreateAdd(total,
                          t.b.CreateMul(element(t, x, bits * i, bits, first), element(t, y, start + 8 * i, 8, second)));
  t.write(0, first, total);
}

} // namespace

void emitAddCarry(Translator &t) { binary(t, false, false, true); }
void emitSubCarry(Translator &t) { binary(t, true, false, true); }
void emitMadCarry(Translator &t) { multiplyAdd(t, false, true); }
void emitAddc(Translator &t) { binary(t, false, true, t.take("cc")); }
void emitSubc(Translator &t) { binary(t, true, true, t.take("cc")); }
void emitMadc(Translator &t) { multiplyAdd(t, true, t.take("cc")); }

void emitDp4a(Translator &t) { dot(t, 4, 8, 0); }
/// Two halves of a times the lower or the upper two bytes of b.
void emitDp2a(Translator &t) {
  llvm::StringRef part = t.takeOf({"lo", "hi"});
  if (part.empty())
    t.fail("one of .lo and .hi is missing");
  dot(t, 2, 16, part == "hi" ? 16 : 0);
}

} // namespace nvemu::jit
