//===- Constant.h - constant expressions of PTX -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_PTX_CONSTANT_H
#define NVEMU_PTX_CONSTANT_H

#include "Lexer.h"

#include <cstdint>

namespace nvemu::ptx {

/// An integer of 64 bits or an f64.
struct Constant {
  bool isFloat = false, isUnsigned = false;
  uint64_t bits = 0;
  bool isShort = false; // a 0f literal, perhaps with a sign before it

  double asDouble() const; // the value, also of an integer
  bool isZero() const;
};

/// What stands at the cursor: a literal, or literals and operators as in C (PTX
/// ISA, sections 4.5 and 4.6). 0f literals become f64 exactly, a NaN with its payload.
bool parseConstant(Cursor &cursor, Constant &value);

/// The f32 whose exact widening `bits` of an f64 is; otherwise the nearest one.
uint32_t narrowToF32(uint64_t bits);

} // namespace nvemu::ptx

#endif // NVEMU_PTX_CONSTANT_H
