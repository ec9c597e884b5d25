//===- Elementary.cpp - roots, exponentials, classes of floats ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, rcp to tanh. The hardware's .approx forms have errors of a few units
// in the last place; here they are the f32 nearest to the exact value.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "Opcodes.h"
#include "Translator.h"

namespace nvemu::jit {
namespace {

using Function = llvm::function_ref<Value *(Value *)>;

/// d = f(a) of lanes of `type`, computed as f32.
void unary(Translator &t, Type type, bool flushes, Function make) {
  if (!t.finish(2))
    return;
  Type lane = laneOf(type);
  t.write(0, type, t.eachLane(type, {t.read(1, type)}, [&](llvm::ArrayRef<Value *> x) {
    Value *bits = flushes ? t.flushBits(x[0], lane) : x[0];
    bits = t.fromFloat(make(t.toFloat(bits, lane)), lane);
    return flushes ? t.flushBits(bits, lane) : bits;
  }));
}

/// An .approx function of f32 and, where `hasHalf`, of numbers of 16 bits.
void approximate(Translator &t, llvm::StringRef helper, bool hasHalf) {
  if (!t.take("approx"))
    t.fail(".approx is missing");
  bool flushes = t.take("ftz");
  Type type = t.takeType();
  bool isHalf = laneOf(type) == Type::F16 || laneOf(type) == Type::BF16;
  if (type != Type::F32 && !(hasHalf && isHalf))
    t.fail("nvemu does not know this type here");
  bool isEx2 = t.instruction().opcode == "ex2", isTanh = t.instruction().opcode == "tanh";
  bool needsFlush = isEx2 && laneOf(type) == Type::BF16;
  if (needsFlush && !flushes)
    t.fail("of .bf16 it is .approx.ftz");
  if (flushes && (isTanh || (isHalf && !needsFlush)))
    t.fail("it has no .ftz for this type");
  unary(t, type, flushes, [&](Value *x) -> Value * { return t.call(helper, t.b.getFloatTy(), {x}); });
}

/// Its NaN is chosen among integers: LLVM takes a choice of floats between a NaN
/// and the root of a negative number for the root alone, whose NaN is the host's.
Value *rootOf(Translator &t, Type type, Value *x) {
  Value *result = t.intrinsic(llvm::Intrinsic::sqrt, {x});
  if (type == Type::F64)
    return result;
  Value *bits = t.b.CreateBitCast(result, t.b.getInt32Ty());
  bits = t.b.CreateSelect(t.b.CreateFCmpULT(x, t.constant(x, 0.0)), t.b.getInt32(0x7fffffff), bits);
  return t.b.CreateBitCast(bits, t.b.getFloatTy());
}

/// rcp, sqrt or rsqrt: one division or root of the host, or by its helper.
void root(Translator &t, bool isReciprocal, bool isRoot) {
  bool isApprox = t.take("approx"), isInverseRoot = isReciprocal && isRoot;
  if (!isApprox && (isInverseRoot || !t.hasRounding()))
    t.fail(isInverseRoot ? ".approx is missing" : "its rounding is missing: .rn, .rz, .rm, .rp or, of .f32, .approx");
  Rounding rounding = isApprox ? Rounding::Nearest : t.takeRounding();
  bool flushes = t.take("ftz");
  Type type = t.takeType();
  if (type != Type::F32 && type != Type::F64)
    t.fail("its type is .f32 or .f64");
  // The approximation for f64 sees and makes the upper 32 bits alone.
  bool isUpper = isApprox && flushes && type == Type::F64;
  if (isApprox && type == Type::F64 && (isReciprocal ? !isRoot && !flushes : true))
    t.fail(isReciprocal ? "of .f64 it is .approx.ftz" : "of .f64 it is rounded, and not .approx");
  if (flushes && type == Type::F64 && !isUpper)
    t.fail("only .f32 has .ftz here");
  auto byHelper = [&](Rounded operation, Value *x, Value *y) -> Value * {
    return t.call(type == Type::F64 ? "nvemu_round_f64" : "nvemu_round_f32", x->getType(),
                  {t.b.getInt32(uint32_t(operation)), t.b.getInt32(uint32_t(rounding)), x, y, y});
  };
  auto upper = [&](Value *x) {
    Value *bits = t.b.CreateBitCast(x, t.b.getInt64Ty());
    return t.b.CreateBitCast(t.b.CreateAnd(bits, 0xffffffff'00000000), t.b.getDoubleTy());
  };
  unary(t, type, flushes, [&](Value *x) -> Value * {
    if (isUpper)
      x = upper(x);
    if (isRoot && isReciprocal && type == Type::F32)
      return t.call("nvemu_rsqrt", t.b.getFloatTy(), {x});
    bool isNearest = rounding == Rounding::Nearest;
    if (isRoot)
      x = isNearest ? rootOf(t, type, x) : byHelper(Rounded::Root, x, x);
    if (isReciprocal) {
      Value *one = t.constant(x, 1.0);
      x = isNearest ? t.b.CreateFDiv(one, x) : byHelper(Rounded::Divide, one, x);
    }
    return isUpper ? upper(x) : x;
  });
}

} // namespace

void emitRcp(Translator &t) { root(t, true, false); }
void emitSqrt(Translator &t) { root(t, false, true); }
void emitRsqrt(Translator &t) { root(t, true, true); }
void emitSin(Translator &t) { approximate(t, "nvemu_sin", false); }
void emitCos(Translator &t) { approximate(t, "nvemu_cos", false); }
void emitLg2(Translator &t) { approximate(t, "nvemu_lg2", false); }
void emitEx2(Translator &t) { approximate(t, "nvemu_ex2", true); }
void emitTanh(Translator &t) { approximate(t, "nvemu_tanh", true); }

/// The value of b with the sign of a.
void emitCopysign(Translator &t) {
  Type type = t.takeType();
  if (type != Type::F32 && type != Type::F64)
    t.fail("its type is .f32 or .f64");
  if (!t.finish(3))
    return;
  Value *sign = t.integer(type, uint64_t(1) << (ptx::bitsOf(type) - 1));
  t.write(0, type,
          t.b.CreateOr(t.b.CreateAnd(t.read(1, type), sign), t.b.CreateAnd(t.read(2, type), t.b.CreateNot(sign))));
}

void emitTestp(Translator &t) {
  llvm::StringRef name = t.takeOf({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  Type type = t.takeType();
  if (name.empty() || (type != Type::F32 && type != Type::F64))
    t.fail("it names a property, and its type is .f32 or .f64");
  if (!t.finish(2))
    return;
  llvm::FPClassTest test = name == "finite"       ? llvm::fcFinite
                           : name == "infinite"   ? llvm::fcInf
                           : name == "number"     ? llvm::fcAllFlags & ~llvm::fcNan
                           : name == "notanumber" ? llvm::fcNan
                           : name == "normal"     ? llvm::fcNormal
                                                  : llvm::fcSubnormal;
  t.writePredicate(0, t.b.createIsFPClass(t.toFloat(t.read(1, type), type), test));
}

} // namespace nvemu::jit
