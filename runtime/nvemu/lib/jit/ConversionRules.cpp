//===- ConversionRules.cpp - which conversions there are ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// PTX ISA, cvt: what may be converted to what, and with which modifiers.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"

namespace nvemu::jit {
namespace {

enum class Rounds {
  No,
  Maybe, // by rn, rz, rm or rp
  Must,
  NearestOrZero, // by rn or rz, and must
  Nearest,       // by rn, and must
  ToTf32,        // by rn, rz or rna, and must
  ToIntegral,    // by rni, rzi, rmi or rpi, and must
  MaybeToIntegral,
};

struct Rule {
  Rounds rounds = Rounds::No;
  bool ftz = false, sat = false, relu = false;
  enum { No, May, Must } finite = No; // .satfinite
};

bool isEight(Type type) { return type == Type::E4M3x2 || type == Type::E5M2x2; }
bool isInteger(Type type) { return type >= Type::U8 && type <= Type::S64; }
/// The types of one float that others are converted to.
bool isPlainFloat(Type type) {
  return type == Type::F16 || type == Type::BF16 || type == Type::F32 || type == Type::F64;
}

/// Whether every number of `from` is one of `to`.
bool holdsAll(Type to, Type from) {
  const unsigned toBits = ptx::bitsOf(to), fromBits = ptx::bitsOf(from);
  if (isSigned(from))
    return isSigned(to) && toBits >= fromBits;
  return isSigned(to) ? toBits > fromBits : toBits >= fromBits;
}

Rule ruleOfIntegers(Type to, Type from) {
  Rule rule;
  if (!isFloat(to) && !isFloat(from))
    return rule.sat = !holdsAll(to, from), rule;
  const Type real = isFloat(to) ? to : from;
  rule.rounds = isFloat(to) ? Rounds::Must : Rounds::ToIntegral;
  rule.ftz = real == Type::F32;
  rule.sat = real != Type::BF16;
  return rule;
}

/// Of one float to another one.
Rule ruleOfFloats(Type to, Type from) {
  const bool hasBf16 = to == Type::BF16 || from == Type::BF16;
  Rule rule;
  rule.ftz = to == Type::F32 || from == Type::F32;
  rule.sat = !hasBf16;
  if (to == from) {
    rule.rounds = Rounds::MaybeToIntegral;
  } else if (ptx::bitsOf(to) >= ptx::bitsOf(from)) {
    rule.rounds = hasBf16 ? Rounds::Maybe : Rounds::No;
  } else {
    rule.rounds = Rounds::Must;
    rule.relu = from == Type::F32;
    rule.finite = rule.relu ? Rule::May : Rule::No;
  }
  return rule;
}

std::optional<Rule> ruleOf(Type to, Type from) {
  const bool isPair = to == Type::F16x2 || to == Type::BF16x2;
  if ((isInteger(to) || isPlainFloat(to)) && (isInteger(from) || isPlainFloat(from)))
    return isInteger(to) || isInteger(from) ? ruleOfIntegers(to, from) : ruleOfFloats(to, from);
  if (from == Type::F32 && (isPair || to == Type::TF32))
    return Rule{isPair ? Rounds::NearestOrZero : Rounds::ToTf32, false, false, true, Rule::May};
  if (isEight(to) && (from == Type::F32 || from == Type::F16x2))
    return Rule{Rounds::Nearest, false, false, true, Rule::Must};
  if (to == Type::F16x2 && isEight(from))
    return Rule{Rounds::Nearest, false, false, true, Rule::No};
  return std::nullopt;
}

std::string roundingFault(const Conversion &form, Rounds rounds) {
  const bool mayBeIntegral = rounds == Rounds::ToIntegral || rounds == Rounds::MaybeToIntegral;
  if (form.toIntegral && !mayBeIntegral)
    return "rounding to an integer is for floats to integers and to themselves";
  if (rounds == Rounds::ToIntegral && !form.toIntegral)
    return "one of .rni, .rzi, .rmi and .rpi is missing";
  if (form.rounds && (mayBeIntegral || rounds == Rounds::No))
    return mayBeIntegral ? "it is rounded by .rni, .rzi, .rmi or .rpi" : "it is exact, and has no rounding";
  const bool isNearest = form.rounding == Rounding::Nearest, isZero = form.rounding == Rounding::Zero;
  const bool isAway = form.rounding == Rounding::NearestAway;
  switch (rounds) {
  case Rounds::Must:
    return !form.rounds || isAway ? "one of .rn, .rz, .rm and .rp is missing" : "";
  case Rounds::Maybe:
    return isAway ? "it is rounded by .rn, .rz, .rm or .rp" : "";
  case Rounds::NearestOrZero:
    return form.rounds && (isNearest || isZero) ? "" : "it is rounded by .rn or .rz";
  case Rounds::Nearest:
    return form.rounds && isNearest ? "" : "it is rounded by .rn";
  case Rounds::ToTf32:
    return form.rounds && (isNearest || isZero || isAway) ? "" : "it is rounded by .rn, .rz or .rna";
  default:
    return "";
  }
}

} // namespace

std::string conversionFault(const Conversion &form) {
  const std::optional<Rule> rule = ruleOf(form.to, form.from);
  if (!rule)
    return "there is no conversion of ." + std::string(ptx::nameOf(form.from)) + " to ." +
           std::string(ptx::nameOf(form.to));
  if (std::string why = roundingFault(form, rule->rounds); !why.empty())
    return why;
  if (form.flushes && !rule->ftz)
    return "it has no .ftz, which is for .f32";
  if (form.saturates && !rule->sat)
    return isInteger(form.to) && isInteger(form.from) ? "every number fits, and so there is no .sat" : "it has no .sat";
  const bool isDirected = form.rounding == Rounding::Down || form.rounding == Rounding::Up;
  if ((form.isRelu && !rule->relu) || (form.isFinite && rule->finite == Rule::No) ||
      ((form.isRelu || form.isFinite) && (isDirected || form.flushes || form.saturates)))
    return ".relu and .satfinite are for results of less than 32 bits and .tf32, rounded by .rn or .rz";
  if (form.isRelu && form.rounding == Rounding::NearestAway)
    return ".rna and .relu do not come together";
  return rule->finite == Rule::Must && !form.isFinite ? ".satfinite is missing" : "";
}

} // namespace nvemu::jit
