//===- Opcodes.cpp - which function translates which opcode ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Opcodes.h"

#include <unordered_map>

namespace nvemu::jit {

Emit emitterOf(const std::string &opcode, const ptx::Instruction &instruction) {
  static const std::unordered_map<std::string, Emit> table = {
      {"abs", emitAbs},
      {"add", emitAdd},
      {"addc", emitAddc},
      {"and", emitAnd},
      {"bfe", emitBfe},
      {"bfi", emitBfi},
      {"bfind", emitBfind},
      {"bmsk", emitBmsk},
      {"bra", emitBra},
      {"brev", emitBrev},
      {"brkpt", emitTrap},
      {"brx", emitBrx},
      {"call", emitCall},
      {"clz", emitClz},
      {"cnot", emitCnot},
      {"copysign", emitCopysign},
      {"cos", emitCos},
      {"cvt", emitCvt},
      {"cvta", emitCvta},
      {"div", emitDiv},
      {"dp2a", emitDp2a},
      {"dp4a", emitDp4a},
      {"ex2", emitEx2},
      {"exit", emitExit},
      {"fma", emitFma},
      {"isspacep", emitIsspacep},
      {"ld", emitLd},
      {"ldu", emitLd},
      {"lg2", emitLg2},
      {"lop3", emitLop3},
      {"mad", emitMad},
      {"mad24", emitMad24},
      {"madc", emitMadc},
      {"max", emitMax},
      {"min", emitMin},
      {"mov", emitMov},
      {"mul", emitMul},
      {"mul24", emitMul24},
      {"neg", emitNeg},
      {"not", emitNot},
      {"or", emitOr},
      {"pmevent", emitPmevent},
      {"popc", emitPopc},
      {"prefetch", emitPrefetch},
      {"prefetchu", emitPrefetch},
      {"prmt", emitPrmt},
      {"rcp", emitRcp},
      {"rem", emitRem},
      {"ret", emitRet},
      {"rsqrt", emitRsqrt},
      {"sad", emitSad},
      {"selp", emitSelp},
      {"set", emitSet},
      {"setp", emitSetp},
      {"shf", emitShf},
      {"shl", emitShl},
      {"shr", emitShr},
      {"sin", emitSin},
      {"slct", emitSlct},
      {"sqrt", emitSqrt},
      {"st", emitSt},
      {"sub", emitSub},
      {"subc", emitSubc},
      {"szext", emitSzext},
      {"tanh", emitTanh},
      {"testp", emitTestp},
      {"trap", emitTrap},
      {"xor", emitXor},
  };
  // Of these the emulator has forms of more than one thread.
  if ((opcode == "ld" || opcode == "st") && (instruction.has("async") || instruction.has("bulk")))
    return nullptr;
  auto found = table.find(opcode);
  return found == table.end() ? nullptr : found->second;
}

} // namespace nvemu::jit
