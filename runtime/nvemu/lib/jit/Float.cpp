//===- Float.cpp - arithmetic of floats, of 16 to 64 bits -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, Floating-Point and Half-Precision Floating-Point Instructions.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "Opcodes.h"
#include "Translator.h"

namespace nvemu::jit {
namespace {

/// Which modifiers an operation has beside .ftz.
struct Has {
  bool sat = false, relu = false;
  bool rounding = true, needsRounding = false;
};

struct Form {
  Type type = Type::F32, lane = Type::F32;
  Rounding rounding = Rounding::Nearest;
  bool flushes = false, saturates = false, isRelu = false;
};

/// The modifiers that the operations here share; which of them a type has is
/// checked.
Form takeForm(Translator &t, Has has) {
  Form form;
  bool rounds = false;
  if (has.rounding)
    form.rounding = t.takeRounding(&rounds);
  if (has.needsRounding && !rounds)
    t.fail("one of .rn, .rz, .rm and .rp is missing");
  form.flushes = t.take("ftz");
  form.saturates = has.sat && t.take("sat");
  form.isRelu = has.relu && t.take("relu");
  form.type = t.takeType();
  form.lane = laneOf(form.type);
  bool isHalf = form.lane == Type::F16 || form.lane == Type::BF16;
  if (!isHalf && form.type != Type::F32 && form.type != Type::F64)
    t.fail("its type is .f16, .f16x2, .bf16, .bf16x2, .f32 or .f64");
  if (form.rounding != Rounding::Nearest && isHalf)
    t.fail("numbers of 16 bits are rounded to nearest alone");
  if (form.flushes && (form.lane == Type::BF16 || form.lane == Type::F64))
    t.fail("only .f32 and .f16 have .ftz");
  if (form.saturates && (form.lane == Type::F64 || form.lane == Type::BF16))
    t.fail("only .f32 and .f16 have .sat");
  if (form.isRelu && form.saturates)
    t.fail(".relu and .sat do not come together");
  if (form.isRelu && !isHalf)
    t.fail("only numbers of 16 bits have .relu");
  return form;
}

Value *in(Translator &t, const Form &form, Value *bits) {
  if (form.flushes)
    bits = t.flushBits(bits, form.lane);
  return t.toFloat(bits, form.lane);
}

Value *out(Translator &t, const Form &form, Value *number) {
  if (form.saturates)
    number = t.saturate(number);
  if (form.isRelu)
    number = t.relu(number);
  Value *bits = t.fromFloat(number, form.lane);
  return form.flushes ? t.flushBits(bits, form.lane) : bits;
}

Value *roundedBy(Translator &t, const Form &form, Rounded operation, llvm::ArrayRef<Value *> numbers) {
  Value *zero = t.constant(numbers[0], 0.0);
  auto number = [&](size_t i) { return i < numbers.size() ? numbers[i] : zero; };
  return t.call(
      form.lane == Type::F64 ? "nvemu_round_f64" : "nvemu_round_f32", numbers[0]->getType(),
      {t.b.getInt32(uint32_t(operation)), t.b.getInt32(uint32_t(form.rounding)), number(0), number(1), number(2)});
}

Value *compute(Translator &t, const Form &form, Rounded operation, llvm::ArrayRef<Value *> numbers) {
  if (form.rounding != Rounding::Nearest)
    return roundedBy(t, form, operation, numbers);
  switch (operation) {
  case Rounded::Add:
    return t.b.CreateFAdd(numbers[0], numbers[1]);
  case Rounded::Multiply:
    return t.b.CreateFMul(numbers[0], numbers[1]);
  case Rounded::Divide:
    return t.b.CreateFDiv(numbers[0], numbers[1]);
  default:
    break;
  }
  if (form.lane == Type::F16 || form.lane == Type::BF16)
    return t.call("nvemu_fma_odd", t.b.getFloatTy(), numbers);
  return t.intrinsic(llvm::Intrinsic::fma, numbers);
}

/// d = op(a, b, ...); with the second operand's sign changed for a difference.
void arithmetic(Translator &t, const Form &form, Rounded operation, size_t sources, bool negatesSecond = false) {
  if (!t.finish(sources + 1))
    return;
  llvm::SmallVector<Value *, 3> bits;
  for (size_t i = 1; i <= sources; ++i)
    bits.push_back(t.read(i, form.type));
  t.write(0, form.type, t.eachLane(form.type, bits, [&](llvm::ArrayRef<Value *> lanes) {
    llvm::SmallVector<Value *, 3> numbers;
    for (Value *lane : lanes)
      numbers.push_back(in(t, form, lane));
    if (negatesSecond)
      numbers[1] = t.b.CreateFNeg(numbers[1]);
    return out(t, form, compute(t, form, operation, numbers));
  }));
}

/// abs and neg: the sign bit of each lane.
void signBit(Translator &t, bool isAbs) {
  bool flushes = t.take("ftz");
  Type type = t.takeType(), lane = laneOf(type);
  if (lane != Type::F16 && lane != Type::BF16 && type != Type::F32 && type != Type::F64)
    t.fail("its type is .f16, .f16x2, .bf16, .bf16x2, .f32 or .f64");
  if (flushes && lane != Type::F32 && lane != Type::F16)
    t.fail("only .f32 and .f16 have .ftz");
  if (!t.finish(2))
    return;
  uint64_t sign = uint64_t(1) << (ptx::bitsOf(lane) - 1);
  t.write(0, type, t.eachLane(type, {t.read(1, type)}, [&](llvm::ArrayRef<Value *> x) {
    Value *bits = flushes ? t.flushBits(x[0], lane) : x[0];
    return isAbs ? t.b.CreateAnd(bits, t.integer(lane, ~sign)) : t.b.CreateXor(bits, t.integer(lane, sign));
  }));
}

/// Without .NaN the number where only one operand is one; -0 is below +0. With
/// .xorsign.abs it is of the absolute values, and its sign the product's.
void minOrMax(Translator &t, bool isMax) {
  bool keepsNan = t.take("NaN"), isXor = t.take("xorsign"), isAbs = t.take("abs");
  if (isXor != isAbs)
    t.fail(".xorsign and .abs come together");
  Form form = takeForm(t, {.rounding = false});
  if (form.type == Type::F64 && (keepsNan || isXor))
    t.fail(".f64 has neither .NaN nor .xorsign.abs");
  if (!t.finish(3))
    return;
  llvm::Intrinsic::ID id = keepsNan ? (isMax ? llvm::Intrinsic::maximum : llvm::Intrinsic::minimum)
                                    : (isMax ? llvm::Intrinsic::maximumnum : llvm::Intrinsic::minimumnum);
  auto make = [&](llvm::ArrayRef<Value *> lanes) {
    Value *x = in(t, form, lanes[0]), *y = in(t, form, lanes[1]);
    if (isXor) {
      x = t.intrinsic(llvm::Intrinsic::fabs, {x});
      y = t.intrinsic(llvm::Intrinsic::fabs, {y});
    }
    Value *bits = out(t, form, t.intrinsic(id, {x, y}));
    if (!isXor)
      return bits;
    uint64_t sign = uint64_t(1) << (ptx::bitsOf(form.lane) - 1);
    Value *signs = t.b.CreateAnd(t.b.CreateXor(lanes[0], lanes[1]), t.integer(form.lane, sign));
    return t.b.CreateOr(bits, signs);
  };
  t.write(0, form.type, t.eachLane(form.type, {t.read(1, form.type), t.read(2, form.type)}, make));
}

} // namespace

void emitFloatAdd(Translator &t) { arithmetic(t, takeForm(t, {.sat = true}), Rounded::Add, 2); }
void emitFloatSub(Translator &t) { arithmetic(t, takeForm(t, {.sat = true}), Rounded::Add, 2, true); }
void emitFloatMul(Translator &t) { arithmetic(t, takeForm(t, {.sat = true}), Rounded::Multiply, 2); }

void emitFma(Translator &t) {
  const bool isFma = t.instruction().opcode == "fma";
  Form form = takeForm(t, {.sat = true, .relu = isFma, .needsRounding = true});
  if (!isFma && form.type != Type::F32 && form.type != Type::F64)
    t.fail("its type is .f32 or .f64; numbers of 16 bits have fma");
  arithmetic(t, form, Rounded::FusedMultiplyAdd, 3);
}

/// .approx and .full are rounded as .rn is.
void emitFloatDiv(Translator &t) {
  bool isApprox = !t.takeOf({"approx", "full"}).empty();
  if (!isApprox && !t.hasRounding())
    t.fail("its rounding is missing: .rn, .rz, .rm, .rp or, of .f32, .approx or .full");
  Form form = takeForm(t, {.rounding = !isApprox});
  if (form.type != Type::F32 && (form.type != Type::F64 || isApprox))
    t.fail("only .f32 and .f64 have a quotient, .approx and .full only .f32");
  arithmetic(t, form, Rounded::Divide, 2);
}

void emitFloatAbs(Translator &t) { signBit(t, true); }
void emitFloatNeg(Translator &t) { signBit(t, false); }
void emitFloatMin(Translator &t) { minOrMax(t, false); }
void emitFloatMax(Translator &t) { minOrMax(t, true); }

} // namespace nvemu::jit
