//===- Opcodes.h - which function translates which opcode -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_JIT_OPCODES_H
#define NVEMU_JIT_OPCODES_H

#include "../ptx/Ptx.h"

namespace nvemu::jit {

class Translator;
using Emit = void (*)(Translator &);

/// nullptr: the opcode is one for nvemu_operate.
Emit emitterOf(const std::string &opcode, const ptx::Instruction &);

// Integer.cpp, Carry.cpp. add, sub, ... of floats go on to Float.cpp.
void emitAdd(Translator &), emitSub(Translator &), emitMul(Translator &);
void emitMad(Translator &), emitDiv(Translator &), emitRem(Translator &);
void emitAbs(Translator &), emitNeg(Translator &), emitMin(Translator &);
void emitMax(Translator &), emitSad(Translator &), emitMul24(Translator &);
void emitMad24(Translator &), emitAddc(Translator &), emitSubc(Translator &);
void emitMadc(Translator &), emitAddCarry(Translator &);
void emitSubCarry(Translator &), emitMadCarry(Translator &);
void emitDp4a(Translator &), emitDp2a(Translator &);
// Bits.cpp
void emitAnd(Translator &), emitOr(Translator &), emitXor(Translator &);
void emitNot(Translator &), emitCnot(Translator &), emitLop3(Translator &);
void emitShl(Translator &), emitShr(Translator &), emitShf(Translator &);
// BitFields.cpp
void emitPrmt(Translator &), emitBfe(Translator &), emitBfi(Translator &);
void emitBfind(Translator &), emitBrev(Translator &), emitClz(Translator &);
void emitPopc(Translator &), emitSzext(Translator &), emitBmsk(Translator &);
// Float.cpp
void emitFloatAdd(Translator &), emitFloatSub(Translator &);
void emitFloatMul(Translator &), emitFma(Translator &);
void emitFloatDiv(Translator &), emitFloatAbs(Translator &);
void emitFloatNeg(Translator &), emitFloatMin(Translator &);
void emitFloatMax(Translator &);
// Elementary.cpp
void emitRcp(Translator &), emitSqrt(Translator &), emitRsqrt(Translator &);
void emitSin(Translator &), emitCos(Translator &), emitLg2(Translator &);
void emitEx2(Translator &), emitTanh(Translator &);
void emitCopysign(Translator &), emitTestp(Translator &);
// Compare.cpp
void emitSetp(Translator &), emitSet(Translator &), emitSelp(Translator &);
void emitSlct(Translator &);
// Convert.cpp
void emitCvt(Translator &), emitCvtPack(Translator &);
// Move.cpp
void emitMov(Translator &), emitCvta(Translator &), emitIsspacep(Translator &);
// Memory.cpp
void emitLd(Translator &), emitSt(Translator &), emitPrefetch(Translator &);
// Control.cpp, Call.cpp
void emitBra(Translator &), emitBrx(Translator &), emitRet(Translator &);
void emitExit(Translator &), emitTrap(Translator &), emitPmevent(Translator &);
void emitCall(Translator &);

} // namespace nvemu::jit

#endif // NVEMU_JIT_OPCODES_H
