//===- Convert.cpp - cvt --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, Data Movement and Conversion Instructions: cvt and cvt.pack.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "Opcodes.h"

namespace nvemu::jit {
namespace {

bool isEight(Type type) { return type == Type::E4M3x2 || type == Type::E5M2x2; }

void takeModifiers(Translator &t, Conversion &form) {
  if (t.take("rna")) {
    form.rounding = Rounding::NearestAway;
    form.rounds = true;
  } else if (llvm::StringRef name = t.takeOf({"rni", "rzi", "rmi", "rpi"}); !name.empty()) {
    form.toIntegral = true;
    form.rounding = name == "rzi"   ? Rounding::Zero
                    : name == "rmi" ? Rounding::Down
                    : name == "rpi" ? Rounding::Up
                                    : Rounding::Nearest;
  } else {
    form.rounding = t.takeRounding(&form.rounds);
  }
  form.flushes = t.take("ftz");
  form.saturates = t.take("sat");
  form.isRelu = t.take("relu");
  form.isFinite = t.take("satfinite");
  form.to = t.takeType();
  form.from = t.takeType();
}

/// To a type of fewer values: the nearest one.
Value *saturateInteger(Translator &t, const Conversion &form, Value *bits) {
  unsigned width = ptx::bitsOf(form.to);
  bool toSigned = isSigned(form.to);
  // Wide enough to hold every value of either type as a signed number.
  Value *wide = t.resize(bits, 128, isSigned(form.from));
  llvm::APInt least = toSigned ? llvm::APInt::getSignedMinValue(width).sext(128) : llvm::APInt(128, 0);
  llvm::APInt most =
      toSigned ? llvm::APInt::getSignedMaxValue(width).sext(128) : llvm::APInt::getMaxValue(width).zext(128);
  auto number = [&](const llvm::APInt &x) { return llvm::ConstantInt::get(t.unit.context, x); };
  wide = t.intrinsic(llvm::Intrinsic::smax, {wide, number(least)});
  wide = t.intrinsic(llvm::Intrinsic::smin, {wide, number(most)});
  return t.resize(wide, width);
}

Value *convertInteger(Translator &t, const Conversion &form, Value *bits) {
  if (form.saturates)
    return saturateInteger(t, form, bits);
  return t.resize(bits, ptx::bitsOf(form.to), isSigned(form.from));
}

Value *convertOne(Translator &t, const Conversion &form, Value *bits) {
  if (!isFloat(form.from))
    return isFloat(form.to) ? integerToFloat(t, form, bits) : convertInteger(t, form, bits);
  return isFloat(form.to) ? convertFloat(t, form, bits) : floatToInteger(t, form, bits);
}

/// The width of a lane: 8 for the types of which a pair has 16 bits.
unsigned laneBits(Type type) { return isEight(type) ? 8 : ptx::bitsOf(laneOf(type)); }

/// d = {a, b}, a in the upper half; or d = the lanes of a converted.
void convertPair(Translator &t, const Conversion &form) {
  bool isTwo = lanesOf(form.from) == 1;
  if (!t.finish(isTwo ? 3 : 2))
    return;
  Conversion one = form;
  one.to = laneOf(form.to);
  one.from = laneOf(form.from);
  unsigned bits = laneBits(form.to);
  Value *result = nullptr;
  for (unsigned i = 0; i < 2; ++i) {
    Value *source = t.read(isTwo ? 2 - i : 1, form.from);
    if (!isTwo) {
      unsigned width = laneBits(form.from);
      source = t.resize(t.b.CreateLShr(source, i * width), width);
    }
    Value *lane = t.resize(convertOne(t, one, source), 2 * bits);
    result = i ? t.b.CreateOr(result, t.b.CreateShl(lane, bits)) : lane;
  }
  t.write(0, form.to, result);
}

} // namespace

void emitCvt(Translator &t) {
  if (t.take("pack"))
    return emitCvtPack(t);
  Conversion form;
  takeModifiers(t, form);
  if (std::string why = conversionFault(form); !why.empty())
    t.fail(why);
  if (lanesOf(form.to) == 2)
    return convertPair(t, form);
  if (!t.finish(2))
    return;
  t.write(0, form.to, convertOne(t, form, t.read(1, form.from)));
}

/// cvt.pack.sat.to.s32 d, a, b {, c}: a and b saturated side by side, a above
/// b; of types of less than 16 bits the lower bits of c come above them.
void emitCvtPack(Translator &t) {
  if (!t.take("sat"))
    t.fail(".sat is missing");
  Conversion form;
  form.saturates = true;
  form.to = t.takeType();
  form.from = t.takeType();
  unsigned bits = ptx::bitsOf(form.to);
  bool hasRest = bits == 8;
  if (form.from != Type::S32 || isFloat(form.to) || bits < 8 || bits > 16)
    return t.fail("nvemu knows .u16, .s16, .u8 and .s8 of .s32");
  if (hasRest && t.takeType() != Type::B32)
    t.fail("its last type is .b32");
  if (!t.finish(hasRest ? 4 : 3))
    return;
  Value *upper = t.resize(convertInteger(t, form, t.read(1, form.from)), 32);
  Value *lower = t.resize(convertInteger(t, form, t.read(2, form.from)), 32);
  Value *result = t.b.CreateOr(t.b.CreateShl(upper, bits), lower);
  if (hasRest)
    result = t.b.CreateOr(result, t.b.CreateShl(t.read(3, Type::B32), 16));
  t.write(0, Type::U32, result);
}

} // namespace nvemu::jit
