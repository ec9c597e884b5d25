//===- OperandTypes.cpp - what may stand where a type is expected ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "OperandTypes.h"
#include "Translator.h"

#include <algorithm>

namespace nvemu::jit {
namespace {

bool isBits(Type type) { return type >= Type::B8 && type <= Type::B128; }

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<Type> atomicType(const Instruction &instruction, size_t i) {
  const size_t address = instruction.opcode == "atom";
  if (i == address)
    return std::nullopt;
  const bool isPolicy = instruction.has("L2::cache_hint") && i + 1 == instruction.operands.size();
  const std::vector<Type> types = instruction.types();
  return isPolicy || types.empty() ? Type::B64 : types.front();
}

std::optional<Type> barrierType(const Instruction &instruction, size_t i) {
  if (!instruction.has("red") || (i > 0 && i + 1 < instruction.operands.size()))
    return Type::U32;
  return i > 0 || !instruction.has("popc") ? Type::Pred : Type::U32;
}

std::optional<Type> voteType(const Instruction &instruction, size_t i) {
  if (i == 1 || (i == 0 && !instruction.has("ballot")))
    return Type::Pred;
  return i == 0 ? Type::B32 : Type::U32;
}

/// Registers of c and d are .f32, .f64 or, of the other types, any of 32 bits.
std::optional<Type> matrixType(const Instruction &instruction, size_t i) {
  const bool isSum = i == 0 || i == 3;
  if (instruction.has("f64"))
    return isSum ? Type::F64 : Type::B64;
  const std::vector<Type> types = instruction.types();
  const bool isF32 = !types.empty() && (i == 0 ? types.front() : types.back()) == Type::F32;
  return isSum && isF32 ? Type::F32 : Type::B32;
}

std::optional<Type> mbarrierType(const Instruction &instruction, size_t i) {
  if (instruction.has("pending_count"))
    return i == 0 ? Type::U32 : Type::U64;
  const bool waits = instruction.has("test_wait") || instruction.has("try_wait");
  const size_t address = waits || instruction.has("arrive") || instruction.has("arrive_drop");
  if (i < address)
    return waits ? Type::Pred : Type::U64;
  if (i == address)
    return std::nullopt;
  return waits && i == 2 && !instruction.has("parity") ? Type::U64 : Type::U32;
}

/// Its size is a number in the text; what comes after it, of how many bytes the source has,
/// or whether it is left out, and the policy of the cache.
std::optional<Type> copyType(const Instruction &instruction, size_t i) {
  if (i < 2 && !instruction.has("wait_group"))
    return std::nullopt;
  const bool isPolicy = instruction.has("L2::cache_hint") && i > 2 && i + 1 == instruction.operands.size();
  return isPolicy ? Type::B64 : Type::U32;
}

} // namespace

bool fits(Type own, Type expected, bool mayBeWider) {
  const unsigned ownBits = ptx::bitsOf(own), bits = ptx::bitsOf(expected);
  if ((own == Type::Pred) != (expected == Type::Pred) || ownBits < bits || (ownBits > bits && !mayBeWider))
    return false;
  if (own == expected || isBits(own) || isBits(expected))
    return true;
  // .f16x2 registers count as .b32 ones.
  return !isFloat(expected) && (!isFloat(own) || own == Type::F16x2);
}

bool mayBeWider(const Instruction &instruction) {
  if (instruction.opcode != "cvt")
    return isOneOf(instruction.opcode, {"ld", "ldu", "st"});
  for (Type type : instruction.types())
    if (type == Type::BF16 || type == Type::BF16x2 || type == Type::TF32 || type >= Type::E4M3x2)
      return false;
  return true;
}

std::string literalFault(const Operand &literal, Type expected) {
  const std::string type(ptx::nameOf(expected));
  if (literal.kind == Operand::Kind::Integer)
    return isFloat(expected) ? "an integer cannot be an operand of ." + type : "";
  const bool isWhole = expected == Type::F32 || expected == Type::F64;
  const bool isOwnBits = literal.isShort ? expected == Type::B32 : expected == Type::B64;
  return isWhole || isOwnBits ? "" : "a floating-point literal cannot be an operand of ." + type;
}

bool hasSpecial(std::string_view name, unsigned bits) {
  const bool isWide = isOneOf(name, {"%clock64", "%globaltimer", "%current_graph_exec"});
  return name == "%gridid" || (bits == 64) == isWide;
}

std::optional<Type> operandType(const Instruction &instruction, size_t i, size_t part) {
  const std::string &opcode = instruction.opcode;
  if (isOneOf(opcode, {"shfl", "match", "elect"}) && i == 0 && part == 1)
    return Type::Pred;
  if (opcode == "atom" || opcode == "red")
    return atomicType(instruction, i);
  if ((opcode == "bar" && !instruction.has("warp")) || opcode == "barrier")
    return barrierType(instruction, i);
  if (opcode == "vote")
    return voteType(instruction, i);
  if (opcode == "mma")
    return matrixType(instruction, i);
  if (opcode == "mbarrier")
    return mbarrierType(instruction, i);
  if (opcode == "cp")
    return copyType(instruction, i);
  if (opcode == "ldmatrix" || opcode == "stmatrix")
    return i == (opcode == "ldmatrix") ? std::nullopt : std::optional(Type::B32);
  if (opcode == "movmatrix" || (opcode == "shfl" && i < 4))
    return Type::B32;
  if (opcode == "match" && i == 1)
    return instruction.has("b64") ? Type::B64 : Type::B32;
  return opcode == "activemask" ? Type::B32 : Type::U32; // .u32 are all member masks, too
}

ptx::Space spaceOf(const Instruction &instruction, size_t i) {
  if (instruction.opcode == "cp" && !instruction.has("mbarrier"))
    return i == 0 ? Space::Shared : Space::Global;
  return instruction.space().value_or(Space::Generic);
}

bool mayDiscard(const Instruction &instruction) {
  if (instruction.opcode == "match" || instruction.opcode == "mbarrier")
    return instruction.has("all") || instruction.has("arrive") || instruction.has("arrive_drop");
  return isOneOf(instruction.opcode, {"atom", "call", "lop3", "setp"});
}

} // namespace nvemu::jit
