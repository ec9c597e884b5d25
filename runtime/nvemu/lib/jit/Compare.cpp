//===- Compare.cpp - comparisons and selections ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, Comparison and Selection Instructions. The ordered comparisons of
// floats are false where an operand is NaN, those with a u are true.
//
//===----------------------------------------------------------------------===//

#include "Opcodes.h"
#include "Translator.h"

#include "llvm/ADT/StringSwitch.h"

namespace nvemu::jit {
namespace {

using Predicate = llvm::CmpInst::Predicate;
constexpr Predicate bad = llvm::CmpInst::BAD_ICMP_PREDICATE;

struct Comparison {
  llvm::StringRef name, combine; // combine: and, or, xor, or empty
  bool flushes = false;
};

Comparison takeComparison(Translator &t) {
  Comparison form;
  form.name = t.takeOf({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu",
                        "geu", "num", "nan"});
  form.combine = t.takeOf({"and", "or", "xor"});
  form.flushes = t.take("ftz");
  if (form.name.empty())
    t.fail("nvemu does not know this comparison");
  return form;
}

Predicate floatPredicate(llvm::StringRef name) {
  return llvm::StringSwitch<Predicate>(name)
      .Case("eq", Predicate::FCMP_OEQ)
      .Case("ne", Predicate::FCMP_ONE)
      .Case("lt", Predicate::FCMP_OLT)
      .Case("le", Predicate::FCMP_OLE)
      .Case("gt", Predicate::FCMP_OGT)
      .Case("ge", Predicate::FCMP_OGE)
      .Case("equ", Predicate::FCMP_UEQ)
      .Case("neu", Predicate::FCMP_UNE)
      .Case("ltu", Predicate::FCMP_ULT)
      .Case("leu", Predicate::FCMP_ULE)
      .Case("gtu", Predicate::FCMP_UGT)
      .Case("geu", Predicate::FCMP_UGE)
      .Case("num", Predicate::FCMP_ORD)
      .Case("nan", Predicate::FCMP_UNO)
      .Default(bad);
}

/// Bits are equal or not; .lo, .ls, .hi and .hs are for unsigned numbers.
Predicate integerPredicate(llvm::StringRef name, Type type) {
  bool isS = isSigned(type), isEquality = name == "eq" || name == "ne";
  if (!isEquality && (type < Type::U8 || (isS && (name.starts_with("h") || name == "lo" || name == "ls"))))
    return bad;
  return llvm::StringSwitch<Predicate>(name)
      .Case("eq", Predicate::ICMP_EQ)
      .Case("ne", Predicate::ICMP_NE)
      .Case("lt", isS ? Predicate::ICMP_SLT : Predicate::ICMP_ULT)
      .Case("le", isS ? Predicate::ICMP_SLE : Predicate::ICMP_ULE)
      .Case("gt", isS ? Predicate::ICMP_SGT : Predicate::ICMP_UGT)
      .Case("ge", isS ? Predicate::ICMP_SGE : Predicate::ICMP_UGE)
      .Case("lo", Predicate::ICMP_ULT)
      .Case("ls", Predicate::ICMP_ULE)
      .Case("hi", Predicate::ICMP_UGT)
      .Case("hs", Predicate::ICMP_UGE)
      .Default(bad);
}

/// i1 for one lane of `type`.
Value *compare(Translator &t, const Comparison &form, Type type, Value *x, Value *y) {
  Predicate predicate = isFloat(type) ? floatPredicate(form.name) : integerPredicate(form.name, type);
  if (predicate == bad) {
    t.fail("this type has no such comparison");
    return t.b.getFalse();
  }
  if (!isFloat(type))
    return t.b.CreateICmp(predicate, x, y);
  if (form.flushes) {
    x = t.flushBits(x, type);
    y = t.flushBits(y, type);
  }
  return t.b.CreateFCmp(predicate, t.toFloat(x, type), t.toFloat(y, type));
}

Value *combine(Translator &t, const Comparison &form, Value *x, Value *y) {
  if (form.combine == "and")
    return t.b.CreateAnd(x, y);
  if (form.combine == "or")
    return t.b.CreateOr(x, y);
  return form.combine == "xor" ? t.b.CreateXor(x, y) : x;
}

/// Of what is compared: numbers or bits of 16 to 64 bits.
void checkCompared(Translator &t, const Comparison &form, Type type) {
  Type lane = laneOf(type);
  unsigned bits = ptx::bitsOf(lane);
  if (bits < 16 || bits > 64 || type == Type::TF32 || type >= Type::E4M3x2)
    t.fail("it compares .f16, .bf16, .f32, .f64, and integers and bits of 16 to 64 bits");
  if (form.flushes && lane != Type::F32 && lane != Type::F16)
    t.fail("only .f32 and .f16 have .ftz");
}

} // namespace

/// setp.op{.bool} p|q, a, b, c: p = (a op b) bool c, q = !(a op b) bool c; of
/// pairs p is of the lower lane and q of the upper one.
void emitSetp(Translator &t) {
  Comparison form = takeComparison(t);
  Type type = t.takeType(), lane = laneOf(type);
  checkCompared(t, form, type);
  if (!t.finish(form.combine.empty() ? 3 : 4))
    return;
  Value *x = t.read(1, type), *y = t.read(2, type);
  Value *other = form.combine.empty() ? nullptr : t.readPredicate(t.operand(3));
  Value *first, *second;
  if (lanesOf(type) == 2) {
    first = compare(t, form, lane, t.lane(x, 0), t.lane(y, 0));
    second = compare(t, form, lane, t.lane(x, 1), t.lane(y, 1));
  } else {
    first = compare(t, form, type, x, y);
    second = t.b.CreateNot(first);
  }
  const Operand &result = t.operand(0);
  if (result.kind != Operand::Kind::Pair)
    return t.writePredicate(0, combine(t, form, first, other));
  if (result.parts.size() != 2)
    return t.fail("its results are p|q");
  t.write(result.parts[0], Type::Pred, combine(t, form, first, other));
  t.write(result.parts[1], Type::Pred, combine(t, form, second, other));
}

/// Results of set: .u32, .s32, and floats no wider than what is compared, but for .f32.
static bool isSetResult(Type to, Type from) {
  if (to == Type::U32 || to == Type::S32)
    return true;
  if (lanesOf(from) == 2 || lanesOf(to) == 2)
    return to == from;
  bool isHalf = from == Type::F16 || from == Type::BF16;
  if (to == Type::F32 || to == Type::F16)
    return from != Type::BF16 && (to == Type::F16 || !isHalf);
  return to == Type::BF16 || (isHalf && (to == Type::U16 || to == Type::S16));
}

/// The same with a number as the result: all ones or, of a float, 1.
void emitSet(Translator &t) {
  Comparison form = takeComparison(t);
  Type to = t.takeType(), from = t.takeType(), lane = laneOf(from);
  checkCompared(t, form, from);
  if (!isSetResult(to, from))
    t.fail("it has no result of ." + std::string(ptx::nameOf(to)) + " for ." + std::string(ptx::nameOf(from)));
  if (!t.finish(form.combine.empty() ? 3 : 4))
    return;
  Value *other = form.combine.empty() ? nullptr : t.readPredicate(t.operand(3));
  auto make = [&](llvm::ArrayRef<Value *> lanes) {
    Value *is = combine(t, form, compare(t, form, lane, lanes[0], lanes[1]), other);
    Type one = laneOf(to);
    Type type = lanesOf(from) == 2 ? Type::B16 : one;
    uint64_t bits = one == Type::F32    ? 0x3f800000
                    : one == Type::F16  ? 0x3c00
                    : one == Type::BF16 ? 0x3f80
                                        : ~uint64_t(0);
    return t.b.CreateSelect(is, t.integer(type, bits), t.integer(type, 0));
  };
  t.write(0, to, t.eachLane(from, {t.read(1, from), t.read(2, from)}, make));
}

/// Of what is selected: .f32, .f64, integers and bits of 16 to 64 bits.
static Type takeSelected(Translator &t) {
  Type type = t.takeType();
  unsigned bits = ptx::bitsOf(type);
  if (bits < 16 || bits > 64 || (isFloat(type) && type != Type::F32 && type != Type::F64))
    t.fail("its type is .f32, .f64, or one of 16 to 64 bits");
  return type;
}

/// c ? a : b
void emitSelp(Translator &t) {
  Type type = takeSelected(t);
  if (t.finish(4))
    t.write(0, type, t.b.CreateSelect(t.readPredicate(t.operand(3)), t.read(1, type), t.read(2, type)));
}

/// c >= 0 ? a : b
void emitSlct(Translator &t) {
  bool flushes = t.take("ftz");
  Type type = takeSelected(t), by = t.takeType();
  if (by != Type::S32 && by != Type::F32)
    t.fail("its second type is .s32 or .f32");
  if (flushes && by != Type::F32)
    t.fail("only .f32 has .ftz");
  if (!t.finish(4))
    return;
  Comparison form;
  form.name = "ge";
  form.flushes = flushes;
  Value *isFirst = compare(t, form, by, t.read(3, by), t.integer(by, 0));
  t.write(0, type, t.b.CreateSelect(isFirst, t.read(1, type), t.read(2, type)));
}

} // namespace nvemu::jit
