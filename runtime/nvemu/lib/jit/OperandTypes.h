//===- OperandTypes.h - what may stand where a type is expected -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_JIT_OPERANDTYPES_H
#define NVEMU_JIT_OPERANDTYPES_H

#include "../ptx/Ptx.h"

namespace nvemu::jit {

/// Whether a register of type `own` may be an operand of type `expected`: it has as many
/// bits, or more where it `mayBeWider`, and is of the same kind or a .b register (PTX ISA,
/// "Type Checking of Operands" and "Operand Size Exceeding Instruction-Type Size").
bool fits(ptx::Type own, ptx::Type expected, bool mayBeWider);

/// Whether the registers of an instruction may have more bits than its types: those of loads,
/// stores and conversions, but not where a type is of those that came late.
bool mayBeWider(const ptx::Instruction &);

/// Why a literal cannot be an operand of that type; empty where it can.
std::string literalFault(const ptx::Operand &literal, ptx::Type expected);

/// Whether the special register has that many bits: 64 of %clock64 and its like, else 32.
bool hasSpecial(std::string_view name, unsigned bits);

/// Of an instruction for nvemu_operate: the type that operand i has, or each part of it
/// where it is a vector; of a pair a|b, `part` 1 is b. Nothing where it is an address.
std::optional<ptx::Type> operandType(const ptx::Instruction &, size_t i, size_t part);

/// The state space of the address that operand i is.
ptx::Space spaceOf(const ptx::Instruction &, size_t i);

/// Whether `_` may stand for the whole of a result.
bool mayDiscard(const ptx::Instruction &);

} // namespace nvemu::jit

#endif // NVEMU_JIT_OPERANDTYPES_H
