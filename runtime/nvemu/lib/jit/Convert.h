//===- Convert.h - the parts of cvt -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_JIT_CONVERT_H
#define NVEMU_JIT_CONVERT_H

#include "Translator.h"

namespace nvemu::jit {

/// The modifiers of a cvt.
struct Conversion {
  Type to = Type::B32, from = Type::B32;
  Rounding rounding = Rounding::Nearest;
  bool rounds = false;     // one of rn, rz, rm, rp and rna is there
  bool toIntegral = false; // rni, rzi, rmi or rpi
  bool flushes = false, saturates = false, isRelu = false;
  bool isFinite = false; // satfinite
};

/// Why the PTX ISA has no such conversion; empty where it has.
std::string conversionFault(const Conversion &);

/// Bits of one lane of form.to, of bits of one lane of form.from; both are types
/// of one lane, or E4M3x2 and E5M2x2 for one number of these.
Value *convertFloat(Translator &, const Conversion &, Value *bits);
Value *floatToInteger(Translator &, const Conversion &, Value *bits);
Value *integerToFloat(Translator &, const Conversion &, Value *bits);

} // namespace nvemu::jit

#endif // NVEMU_JIT_CONVERT_H
